package shell

// This file judges Python that works with the records of Django's models, where manage.py gives it a database: a method
// is called only where it is known to read (Django 5.2, QuerySet API, Model Meta API and Model instances), to be a text's
// or a collection's, or to be one that the text itself defines, which is judged with it.

// djangoReads are methods of Django's managers, query sets, models and their options that only read. What they have
// beside that in SQL of their own (extra, raw), locks, and methods of asynchronous code are not among them.
const djangoReads = " aggregate alias all annotate as_manager contains count dates datetimes defer difference distinct earliest exclude exists explain filter first from_queryset get get_deferred_fields get_field get_fields get_full_name get_model get_models get_next_by_created get_queryset get_short_name get_username has_perm has_perms in_bulk intersection iterator last latest " +
	"localtime natural_key none only order_by prefetch_related reverse select_related union using values values_list "

// readsRecord says whether the attribute at i only reads. Where the modules of the workspace are not known, that is a method
// that is known to, and the manager of a model.
func (p *pythonCode) readsRecord(i int) bool {
	if p.m.linked != nil {
		return p.m.linked.record(p, i)
	}
	name := p.toks[i].text
	return p.is(i+1, "(") && hasWord(djangoReads, name) || p.is(i+1, ".") && name == "objects"
}
