package protocol

import "context"

// Save is a session as a Store would keep it, for a host that keeps it itself.
func (s *Service) Save(ctx context.Context, id string) ([]byte, *Fault) {
	if !IsSessionID(id) {
		return nil, s.table.unknown(id)
	}
	e, f := s.table.take(ctx, id)
	if f != nil {
		return nil, f
	}
	defer s.table.give(e)
	data, err := encodeRecord(e.record, e.session)
	if err != nil {
		return nil, storeFailed(err)
	}
	return data, nil
}

// Restore brings back a session that Save gave, and says its id. One that is
// here already stays as it is.
func (s *Service) Restore(data []byte) (string, *Fault) {
	r, session, err := decodeRecord(s.policy, "", data)
	if err != nil {
		return "", Invalid("the session cannot be read back: %v", err)
	}
	e, f := s.table.create(r.ID, session)
	if f != nil {
		return "", f
	}
	e.record = r
	s.table.give(e)
	return r.ID, nil
}
