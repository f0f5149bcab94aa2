package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file says what modules of the workspace may use beside what inline code may.

// linkedMember says whether a module of the workspace may use such a member of the library beside
// those of inline code: the console is what it writes to, unless it is told a file.
func linkedMember(toFile bool, mod, name string) bool {
	return mod == "logging" && (name == "StreamHandler" || name == "basicConfig" && !toFile)
}

// linkedMethod says whether the method at i is one that modules of the workspace may use beside those
// of inline code: a path that is made whole is the same path, and loggers write to the console.
func linkedMethod(p *pythonCode, i int) bool {
	switch name := p.toks[i].text; {
	case name == "resolve" || name == "absolute":
		return p.is(i+1, "(") && p.is(i+2, ")")
	case name == "invoke":
		return p.py.says("CliRunner")
	case p.strict && (hasWord(pyDeclares, name) || hasWord(djangoDeclares, name) || hasWord(djangoSettings, name) || name == "init_app" || strings.HasSuffix(name, "Field")):
		return true
	default:
		return hasWord("exception critical setLevel isEnabledFor addHandler setFormatter", name)
	}
}

// Members of packages that declare the tables of a database, and do nothing to one (the references of
// SQLAlchemy 2.0 and Django 5.2).
const pyDeclares = " Column Integer BigInteger SmallInteger String Text Unicode Boolean Float Numeric Date DateTime Time Interval LargeBinary Enum JSON UUID ARRAY ForeignKey ForeignKeyConstraint PrimaryKeyConstraint UniqueConstraint CheckConstraint Index Identity Sequence MetaData Table func select and_ or_ not_ case cast desc asc " +
	"relationship backref declarative_base DeclarativeBase Mapped mapped_column registry validates hybrid_property models Model Q F "

// pyDeclared are members of packages that set something up and reach nothing until it is used, or say what something is
// (the references of Django 5.2, Django REST framework 3.15, Celery 5.4, Flask-SQLAlchemy 3.1 and other extensions of
// Flask, django-environ 0.11, dj-database-url 2.2). What is used of them is known by its name.
const pyDeclared = " celery.schedules.crontab celery.schedules.schedule celery.utils.log.get_task_logger dj_database_url.config dj_database_url.parse django.apps.AppConfig django.apps.apps django.conf.settings django.conf.urls.static.static django.contrib.admin django.contrib.admin.ModelAdmin django.contrib.admin.StackedInline django.contrib.admin.TabularInline django.contrib.admin.action django.contrib.admin.display django.contrib.admin.register " +
	"django.contrib.admin.site django.contrib.auth.get_user_model django.contrib.auth.models.AbstractBaseUser django.contrib.auth.models.AbstractUser django.contrib.auth.models.Group django.contrib.auth.models.Permission django.contrib.auth.models.PermissionsMixin django.contrib.auth.models.User django.contrib.contenttypes.fields.GenericForeignKey django.contrib.contenttypes.fields.GenericRelation django.contrib.contenttypes.models.ContentType " +
	"django.contrib.sessions.models.Session django.contrib.sites.models.Site django.core.paginator.Paginator django.db.models.signals.m2m_changed django.db.models.signals.post_delete django.db.models.signals.post_save django.db.models.signals.pre_delete django.db.models.signals.pre_save django.db.transaction django.db.transaction.atomic django.dispatch.Signal django.dispatch.receiver django.shortcuts.get_list_or_404 django.shortcuts.get_object_or_404 django.shortcuts.redirect django.shortcuts.render " +
	"django.urls.include django.urls.path django.urls.re_path django.urls.reverse django.urls.reverse_lazy environ.Env flask_bcrypt.Bcrypt flask_caching.Cache flask_jwt_extended.JWTManager flask_limiter.Limiter flask_mail.Mail flask_marshmallow.Marshmallow flask_migrate.Migrate flask_socketio.SocketIO flask_sqlalchemy.SQLAlchemy rest_framework.serializers rest_framework.serializers.ModelSerializer rest_framework.serializers.Serializer rest_framework.serializers.ValidationError "

// djangoDeclares are members of django.db.models that say what a table is like and what a question asks for.
const djangoDeclares = " Avg BaseManager CASCADE Case CheckConstraint Count DO_NOTHING Exists ExpressionWrapper F FilteredRelation IntegerChoices Index Manager Max Min Model OuterRef PROTECT Prefetch Q QuerySet RESTRICT SET_DEFAULT SET_NULL StdDev Subquery Sum TextChoices UniqueConstraint Value Variance When " +
	"Abs Cast Ceil Coalesce Concat ExtractDay ExtractMonth ExtractYear Floor Greatest Least Length Lower Now Rank Round RowNumber Substr Trim TruncDate TruncDay TruncHour TruncMonth TruncWeek TruncYear Upper "

// djangoSettings are settings of Django that hold no secret.
const djangoSettings = " ALLOWED_HOSTS APPEND_SLASH ASGI_APPLICATION AUTHENTICATION_BACKENDS AUTH_USER_MODEL BASE_DIR DEBUG DEFAULT_AUTO_FIELD DEFAULT_FROM_EMAIL INSTALLED_APPS INTERNAL_IPS LANGUAGES LANGUAGE_CODE LOCALE_PATHS LOGIN_REDIRECT_URL LOGIN_URL MEDIA_ROOT MEDIA_URL MIDDLEWARE ROOT_URLCONF SITE_ID STATICFILES_DIRS STATIC_ROOT STATIC_URL TIME_ZONE USE_I18N USE_L10N USE_TZ WSGI_APPLICATION "

// declares says whether a module is one of those above, and a name, if one is told, such a member.
func declares(mod, name string) bool {
	full := " " + mod + "." + name
	switch {
	case name != "" && strings.Contains(pyDeclared, full+" "), name == "" && strings.Contains(pyDeclared, full):
		return true
	case mod == "django.db":
		return name == "" || name == "models" || name == "transaction"
	case mod == "django.db.models" || mod == "django.db.models.functions":
		return name == "" || hasWord(djangoDeclares, name) || strings.HasSuffix(name, "Field")
	case mod == "rest_framework.serializers":
		return strings.HasSuffix(name, "Field") || strings.HasSuffix(name, "Serializer")
	}
	sql := mod == "sqlalchemy" || mod == "sqlalchemy.orm" || mod == "sqlalchemy.ext.declarative" || mod == "sqlalchemy.ext.hybrid"
	return sql && (name == "" || hasWord(pyDeclares, name) || strings.HasSuffix(name, "Field"))
}

// doubtVerb says what an effect does, by its kind; empty for one of which nobody can tell.
func doubtVerb(k effect.Kind) string {
	switch k {
	case effect.Read:
		return "reads"
	case effect.List:
		return "lists"
	case effect.Write:
		return "writes"
	case effect.Delete:
		return "deletes"
	case effect.Spawn:
		return "starts"
	case effect.Network:
		return "connects to"
	case effect.Setting:
		return "changes"
	case effect.Signal:
		return "signals"
	}
	return ""
}

// linkedDoubt is the first thing since an effect, of code that is put together, about which somebody
// would be asked: what it is, of which function, file and line it is. Which of the functions that are
// called so runs is not known, so nothing is rejected for what one of them would do.
func linkedDoubt(m *machine, start int, text string) string {
	doubt := ""
	for i := min(start, len(m.effects)); i < len(m.effects); i++ {
		e := &m.effects[i]
		if harmless(e) && !((e.Kind == effect.Read || e.Kind == effect.List) && e.Zone == effect.ZoneOutside) || e.Kind == effect.Delete && e.Zone == effect.ZoneTemp {
			continue
		}
		what, uses := cutPrefix(e.Resource, "inline code of python uses ")
		if !uses {
			verb := doubtVerb(e.Kind)
			if what = verb + " " + e.Resource; verb == "" || e.Resource == "" {
				what = "does what gbt cannot tell"
			}
			place := m.placeIn(text, e.Resource)
			if place == "" && doubt != "" {
				continue
			}
			if what = "code of the workspace that " + what + place; place != "" {
				what = trimPrefix(place, " in ") + ", which " + trimPrefix(what[:len(what)-len(place)], "code of the workspace that ")
			}
		}
		if doubt == "" || !strings.Contains(doubt, "(") && strings.Contains(what, "(") {
			doubt = what
		}
	}
	return doubt
}

// placeIn says where in the text a resource is named that an effect has.
func (m *machine) placeIn(text, resource string) string {
	for _, part := range [...]string{resource, baseName(resource)} {
		if len(part) < 3 || mark.Has(part) {
			continue
		}
		if at := strings.Index(text, part); at >= 0 {
			if place := m.sourceOf(text, at); place != "" {
				return place
			}
		}
	}
	return ""
}

// judgesLinked is what ends the reading of code that is put together. What that has recorded is taken
// back if somebody would be asked about it: then the code is judged by itself, and what it runs is asked
// about.
func (m *machine) judgesLinked(given string) func(text string) bool {
	start, files, runs := len(m.effects), len(m.files), len(m.runs)
	return func(text string) bool {
		doubt := linkedDoubt(m, start, text)
		if m.linked = nil; doubt == "" {
			return false
		}
		m.effects, m.files, m.runs = m.effects[:min(start, len(m.effects))], m.files[:min(files, len(m.files))], m.runs[:min(runs, len(m.runs))]
		m.disown(start)
		m.escape("inline code of python uses " + doubt)
		m.alone = true
		m.code("python", given, unknown, false)
		m.alone = false
		return true
	}
}
