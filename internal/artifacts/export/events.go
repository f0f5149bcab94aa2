package export

import (
	"encoding/xml"
	"strconv"
	"time"
)

// Run is an episode for process mining: which steps it took, and nothing that
// stood in them.
type Run struct {
	ID      string // of the episode
	Task    string // stable name of its task
	Outcome string
	Events  []Event
}

// Event is a call.
type Event struct {
	Macro string // key of its macro, as the states of a policy are called
	Tool  string
	At    int64 // nanoseconds since 1970; 0 if the log does not say
}

// at is when event i was. Both formats want a time, so events of logs without times
// are a second apart from 1970 on, which nobody takes for a time.
func (r *Run) at(i int) string {
	t := time.Unix(int64(i), 0)
	if r.timed() {
		t = time.Unix(0, r.Events[i].At)
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z07:00")
}

// timed says whether the log has the times of all events.
func (r *Run) timed() bool {
	for i := range r.Events {
		if r.Events[i].At == 0 {
			return false
		}
	}
	return true
}

// XES is runs as a log of IEEE 1849 (https://xes-standard.org): a trace for each,
// its calls as events named by macro.
func XES(runs []Run) []byte {
	w := &xmlWriter{}
	w.raw(xml.Header)
	w.open("log", "xes.version", "2.0", "xes.features", "", "xmlns", "http://www.xes-standard.org/")
	w.leaf("extension", "name", "Concept", "prefix", "concept", "uri", "http://www.xes-standard.org/concept.xesext")
	w.leaf("extension", "name", "Time", "prefix", "time", "uri", "http://www.xes-standard.org/time.xesext")
	for i := range runs {
		r := &runs[i]
		w.open("trace")
		w.text("concept:name", r.ID)
		w.text("task", r.Task)
		w.text("outcome", r.Outcome)
		w.leaf("boolean", "key", "timed", "value", strconv.FormatBool(r.timed()))
		for k := range r.Events {
			w.open("event")
			w.text("concept:name", r.Events[k].Macro)
			w.text("tool", r.Events[k].Tool)
			w.leaf("date", "key", "time:timestamp", "value", r.at(k))
			w.close("event")
		}
		w.close("trace")
	}
	w.close("log")
	return w.out.Bytes()
}

func (w *xmlWriter) text(key, value string) {
	w.leaf("string", "key", key, "value", oneLine(value))
}

// The JSON of OCEL 2.0 (https://www.ocel-standard.org/2.0/ocel20-schema-json.json).
type (
	ocelLog struct {
		ObjectTypes []ocelType   `json:"objectTypes"`
		EventTypes  []ocelType   `json:"eventTypes"`
		Objects     []ocelObject `json:"objects"`
		Events      []ocelEvent  `json:"events"`
	}
	ocelType struct {
		Name       string          `json:"name"`
		Attributes []ocelAttribute `json:"attributes"`
	}
	ocelAttribute struct {
		Name string `json:"name"`
		Type string `json:"type"`
	}
	ocelObject struct {
		ID            string      `json:"id"`
		Type          string      `json:"type"`
		Attributes    []ocelValue `json:"attributes"`
		Relationships []ocelLink  `json:"relationships"`
	}
	ocelEvent struct {
		ID            string      `json:"id"`
		Type          string      `json:"type"`
		Time          string      `json:"time"`
		Attributes    []ocelValue `json:"attributes"`
		Relationships []ocelLink  `json:"relationships"`
	}
	ocelValue struct {
		Name  string `json:"name"`
		Value string `json:"value"`
		Time  string `json:"time,omitempty"`
	}
	ocelLink struct {
		ObjectID  string `json:"objectId"`
		Qualifier string `json:"qualifier"`
	}
)

// OCEL is runs as an object-centric log: an event is a call, its objects are the
// run, the task and the tool.
func OCEL(runs []Run) ([]byte, error) {
	l := ocelLog{ObjectTypes: []ocelType{}, EventTypes: []ocelType{}, Objects: []ocelObject{}, Events: []ocelEvent{}}
	for _, name := range []string{"run", "task", "tool"} {
		l.ObjectTypes = append(l.ObjectTypes, ocelType{name, []ocelAttribute{}})
	}
	l.ObjectTypes[0].Attributes = []ocelAttribute{{"outcome", "string"}}
	objects, types := map[string]bool{}, map[string]bool{}
	object := func(kind, name string, values ...ocelValue) string {
		id := kind + ":" + oneLine(name)
		if !objects[id] {
			objects[id] = true
			l.Objects = append(l.Objects, ocelObject{id, kind, append([]ocelValue{}, values...), []ocelLink{}})
		}
		return id
	}
	for i := range runs {
		r := &runs[i]
		if len(r.Events) == 0 {
			continue
		}
		run := object("run", r.ID, ocelValue{"outcome", r.Outcome, r.at(0)})
		task := object("task", r.Task)
		for k := range r.Events {
			v := &r.Events[k]
			macro := oneLine(v.Macro)
			if !types[macro] {
				types[macro] = true
				l.EventTypes = append(l.EventTypes, ocelType{macro, []ocelAttribute{}})
			}
			l.Events = append(l.Events, ocelEvent{
				ID: "e" + strconv.Itoa(len(l.Events)+1), Type: macro, Time: r.at(k), Attributes: []ocelValue{},
				Relationships: []ocelLink{{run, "of"}, {task, "for"}, {object("tool", v.Tool), "calls"}},
			})
		}
	}
	return indented(l)
}
