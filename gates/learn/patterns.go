package learn

func (l *learner) patternProposals() []Proposal { return nil }
