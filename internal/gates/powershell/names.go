package powershell

import "strings"

// aliases are those that PowerShell has by itself (about_Aliases, Get-Alias of 5.1 and 7.4):
// name, cmdlet. What they hide is no program, also where the cmdlet has no row.
const aliases = ` % foreach-object ? where-object ac add-content asnp add-pssnapin cat get-content cd set-location cfs convertfrom-string chdir set-location clc clear-content
 clear clear-host clhy clear-history cli clear-item clp clear-itemproperty cls clear-host clv clear-variable cnsn connect-pssession compare compare-object copy copy-item
 cp copy-item cpi copy-item cpp copy-itemproperty cvpa convert-path dbp disable-psbreakpoint del remove-item diff compare-object dir get-childitem dnsn disconnect-pssession
 ebp enable-psbreakpoint echo write-output epal export-alias epcsv export-csv epsn export-pssession erase remove-item etsn enter-pssession exsn exit-pssession fc format-custom
 fhx format-hex fl format-list foreach foreach-object ft format-table fw format-wide gal get-alias gbp get-psbreakpoint gc get-content gcb get-clipboard gci get-childitem
 gcm get-command gcs get-pscallstack gdr get-psdrive gerr get-error ghy get-history gi get-item gin get-computerinfo gjb get-job gl get-location gm get-member gmo get-module
 gp get-itemproperty gps get-process gpv get-itempropertyvalue group group-object gsn get-pssession gsnp get-pssnapin gsv get-service gtz get-timezone gu get-unique
 gv get-variable gwmi get-wmiobject h get-history history get-history icm invoke-command iex invoke-expression ihy invoke-history ii invoke-item ipal import-alias
 ipcsv import-csv ipmo import-module ipsn import-pssession irm invoke-restmethod ise powershell_ise.exe iwmi invoke-wmimethod iwr invoke-webrequest kill stop-process lp out-printer
 ls get-childitem man get-help md mkdir measure measure-object mi move-item mount new-psdrive move move-item mp move-itemproperty mv move-item nal new-alias ndr new-psdrive
 ni new-item nmo new-module npssc new-pssessionconfigurationfile nsn new-pssession nv new-variable nwsn new-pssession ogv out-gridview oh out-host popd pop-location ps get-process
 pushd push-location pwd get-location r invoke-history rbp remove-psbreakpoint rcjb receive-job rcsn receive-pssession rd remove-item rdr remove-psdrive ren rename-item
 ri remove-item rjb remove-job rm remove-item rmdir remove-item rmo remove-module rni rename-item rnp rename-itemproperty rp remove-itemproperty rsn remove-pssession
 rsnp remove-pssnapin rujb resume-job rv remove-variable rvpa resolve-path rwmi remove-wmiobject sajb start-job sal set-alias saps start-process sasv start-service
 sbp set-psbreakpoint scb set-clipboard select select-object set set-variable shcm show-command si set-item sl set-location sleep start-sleep sls select-string
 sort sort-object sp set-itemproperty spjb stop-job spps stop-process spsv stop-service start start-process stz set-timezone sujb suspend-job sv set-variable
 swmi set-wmiinstance tee tee-object trcm trace-command type get-content where where-object wjb wait-job write write-output cd.. set-location cd\ set-location `

// onWindows are the aliases that PowerShell has on Windows alone, where other systems have
// programs of these names (about_Aliases).
const onWindows = " ac cat clear compare cp cpp diff kill ls man mount mv ps rm rmdir sleep sort start tee write "

// canonical is the cmdlet's name that a word stands for, in lower case, or the word.
func (e *emitter) canonical(name string) string {
	low := strings.ToLower(name)
	if i := strings.LastIndexByte(low, '\\'); i > 0 && strings.HasPrefix(low, "microsoft.powershell.") {
		low = low[i+1:]
	}
	if !e.windows && strings.Contains(onWindows, " "+low+" ") {
		return name
	}
	fields := strings.Fields(aliases)
	for i := 0; i < len(fields); i += 2 {
		if fields[i] == low {
			return fields[i+1]
		}
	}
	return low
}

// params are the parameters of the cmdlets, from their documentation: those of files and
// places first. A name, its aliases behind |; @ and the place of one that may come without its
// name, * for all that are left; ! for one without a value; # for one that is not followed.
const (
	filters = " filter include exclude"
	path0   = "path@0 literalpath|pspath|lp"
	login   = " credential# usetransaction#"
	common  = " verbose|vb! debug|db! erroraction|ea warningaction|wa informationaction|infa progressaction|proga outbuffer|ob whatif|wi! confirm|cf!" +
		" errorvariable|ev# warningvariable|wv# informationvariable|iv# outvariable|ov# pipelinevariable|pv#"
	formats = "property@0 autosize! hidetableheaders! wrap! groupby view showerror! displayerror! force! expand column repeatheader! depth inputobject"
	web     = "uri@0 method custommethod|cm usebasicparsing! headers body outfile infile contenttype timeoutsec connectiontimeoutseconds operationtimeoutseconds useragent maximumredirection " +
		"maximumretrycount retryintervalsec skipcertificatecheck! skipheadervalidation! skiphttperrorcheck! passthru! disablekeepalive! httpversion sslprotocol nopproxy! resume! preserveauthorizationonredirect# " +
		"responseheadersvariable# statuscodevariable# followrellink# maximumfollowrellink# allowinsecureredirect# allowunencryptedauthentication# authentication# certificate# certificatethumbprint# credential# form# " +
		"proxy# proxycredential# proxyusedefaultcredentials# sessionvariable# token# transferencoding# unixsocket# usedefaultcredentials# websession# preservehttpmethodonredirect#"
)

var params = map[string]string{
	"get-content":           path0 + filters + " readcount totalcount|first|head tail|last force! delimiter wait! raw! encoding asbytestream! stream#" + login,
	"get-childitem":         path0 + " filter@1 include exclude recurse|s|r! depth force! name! attributes followsymlink! directory|ad|d! file|af! hidden|ah|h! readonly|ar! system|as!" + login,
	"get-item":              path0 + filters + " force! stream#" + login,
	"get-itemproperty":      "path@0 name|psproperty@1 literalpath|pspath|lp" + filters + login,
	"get-itempropertyvalue": "path@0 name|psproperty@1 literalpath|pspath|lp" + filters + login,
	"get-acl":               path0 + filters + " audit! inputobject# allcentralaccesspolicies!",
	"test-path":             path0 + filters + " pathtype|type isvalid! olderthan newerthan" + login,
	"resolve-path":          path0 + " relative! relativebasepath force!" + login,
	"convert-path":          path0 + login,
	"split-path":            path0 + " parent! leaf! leafbase! extension! qualifier! noqualifier! isabsolute! resolve!" + login,
	"join-path":             "path|pspath@0 childpath@1 additionalchildpath@2 resolve! extension" + login,
	"import-csv":            "path|pspath@0 delimiter@1 literalpath|lp header encoding useculture!",
	"get-filehash":          path0 + " algorithm inputstream#",
	"select-string":         "pattern@0 path@1 literalpath|pspath|lp simplematch! casesensitive! quiet! list! include exclude notmatch! allmatches! encoding context noemphasis! raw! culture inputobject",
	"set-location":          path0 + " passthru! stackname" + login,
	"push-location":         path0 + " passthru! stackname" + login,
	"pop-location":          "passthru! stackname" + login,
	"get-location":          "psprovider psdrive stack! stackname" + login,

	"set-content":      "path@0 value@1 literalpath|pspath|lp passthru! force! encoding nonewline! asbytestream! stream#" + filters + login,
	"add-content":      "path@0 value@1 literalpath|pspath|lp passthru! force! encoding nonewline! asbytestream! stream#" + filters + login,
	"clear-content":    path0 + filters + " force! stream#" + login,
	"out-file":         "filepath|path@0 encoding@1 literalpath|pspath|lp append! force! noclobber|nooverwrite! width nonewline! inputobject",
	"export-csv":       "path@0 delimiter@1 literalpath|pspath|lp inputobject force! noclobber|nooverwrite! encoding append! notypeinformation|nti! includetypeinformation|iti! useculture! usequotes|uq quotefields|qf noheader!",
	"export-clixml":    "path@0 literalpath|pspath|lp inputobject depth force! noclobber|nooverwrite! encoding",
	"tee-object":       "filepath|path@0 literalpath|pspath|lp append! variable encoding inputobject",
	"new-item":         "path@0 name itemtype|type value|target force!" + login,
	"mkdir":            "path@0 name value# force!" + login,
	"copy-item":        "path@0 destination@1 literalpath|pspath|lp container! force! recurse! passthru! fromsession# tosession#" + filters + login,
	"move-item":        "path@0 destination@1 literalpath|pspath|lp force! passthru!" + filters + login,
	"rename-item":      "path@0 newname@1 literalpath|pspath|lp force! passthru!" + login,
	"remove-item":      path0 + filters + " recurse! force! stream#" + login,
	"expand-archive":   "path@0 destinationpath@1 literalpath|pspath|lp force! passthru!",
	"compress-archive": "path@0 destinationpath@1 literalpath|pspath|lp compressionlevel update! force! passthru!",

	"select-object":     "property@0 inputobject excludeproperty expandproperty unique! caseinsensitive! last first skip skiplast index skipindex wait!",
	"sort-object":       "property@0 descending! inputobject unique! casesensitive! culture stable! top bottom",
	"group-object":      "property@0 noelement! ashashtable|aht! asstring! inputobject culture casesensitive!",
	"measure-object":    "property@0 inputobject sum! average! maximum! minimum! standarddeviation! allstats! line! word! character! ignorewhitespace!",
	"get-unique":        "inputobject asstring! ontype! caseinsensitive!",
	"get-member":        "name@0 inputobject membertype|type view static! force!",
	"format-table":      formats,
	"format-list":       formats,
	"format-wide":       formats,
	"format-custom":     formats,
	"format-hex":        "path@0 literalpath|pspath|lp inputobject encoding count offset raw!",
	"out-string":        "width nonewline! stream! inputobject",
	"out-host":          "paging! inputobject",
	"out-default":       "transcript! inputobject",
	"out-null":          "inputobject",
	"write-output":      "inputobject@* noenumerate!",
	"write-host":        "object|msg|message@* nonewline! separator foregroundcolor backgroundcolor",
	"write-warning":     "message|msg@0",
	"write-verbose":     "message|msg@0",
	"write-debug":       "message|msg@0",
	"write-error":       "message|msg@0 exception category errorid targetobject recommendedaction categoryactivity categoryreason categorytargetname categorytargettype errorrecord",
	"write-information": "messagedata|msg|message@0 tags@1",
	"write-progress":    "activity@0 status@1 id@2 percentcomplete secondsremaining currentoperation parentid completed! sourceid",
	"convertto-json":    "inputobject@0 depth compress! enumsasstrings! asarray! escapehandling",
	"convertfrom-json":  "inputobject@0 ashashtable! depth noenumerate! datekind",
	"convertto-csv":     "inputobject@0 delimiter@1 notypeinformation|nti! includetypeinformation|iti! useculture! usequotes|uq quotefields|qf noheader!",
	"convertfrom-csv":   "inputobject@0 delimiter@1 header useculture!",
	"convertto-html":    "property@0 head title body inputobject as fragment! precontent postcontent meta charset transitional! cssuri",
	"convertto-xml":     "inputobject@0 depth notypeinformation! as",
	"compare-object":    "referenceobject@0 differenceobject@1 syncwindow property excludedifferent! includeequal! passthru! culture casesensitive!",
	"test-json":         "json@0 schema options",
	"new-timespan":      "start|lastwritetime@0 end@1 days hours minutes seconds milliseconds",

	"get-date":             "date|lastwritetime@0 format uformat year month day hour minute second millisecond displayhint asutc! unixtimeseconds",
	"get-command":          "name@0 verb noun module|psSnapin commandtype|type totalcount syntax! showcommandinfo! argumentlist|args@1 all! listimported! parametername parametertype usefuzzymatching! fullyqualifiedmodule",
	"get-process":          "name|processname@0 id|pid includeusername! inputobject module! fileversioninfo|fv|fvi! computername|cn#",
	"get-help":             "name@0 full! detailed! examples! parameter category component functionality role path# online# showwindow#",
	"get-variable":         "name@0 valueonly! include exclude scope",
	"get-alias":            "name@0 exclude scope definition",
	"get-module":           "name@0 listavailable! all! fullyqualifiedname refresh! psedition skipeditioncheck! pssession# cimsession# cimnamespace# cimresourceuri#",
	"get-service":          "name|servicename@0 displayname dependentservices|ds! requiredservices|sdo|servicesdependedon! include exclude inputobject computername|cn#",
	"get-psdrive":          "name@0 literalname scope psprovider" + login,
	"get-psprovider":       "psprovider@0",
	"get-verb":             "verb@0 group@1",
	"get-host":             "",
	"get-culture":          "name nouseroverrides! listavailable!",
	"get-uptime":           "since!",
	"get-timezone":         "name@0 id listavailable!",
	"get-computerinfo":     "property@0",
	"get-executionpolicy":  "scope@0 list!",
	"get-random":           "maximum@0 minimum inputobject count setseed shuffle!",
	"new-guid":             "empty! inputobject",
	"start-sleep":          "seconds@0 milliseconds|ms duration",
	"get-nettcpconnection": "localaddress|ipaddress@0 localport remoteaddress remoteport state owningprocess appliedsetting creationtime offloadstate includeallcompartments! throttlelimit asjob# cimsession#",
	"get-netudpendpoint":   "localaddress|ipaddress@0 localport owningprocess throttlelimit asjob# cimsession#",
	"get-netipaddress":     "ipaddress|localaddress@0 addressfamily interfaceindex interfacealias prefixorigin asjob# cimsession#",
	"get-ciminstance":      "classname@0 filter property keyonly! namespace query querydialect shallow! operationtimeoutsec computername|cn# cimsession# inputobject# resourceuri#",
	"clear-host":           "",
	"set-strictmode":       "version|v off!",
	"set-executionpolicy":  "executionpolicy@0 scope@1 force!",
	"measure-command":      "expression@0 inputobject",
	"set-item":             "path@0 value@1 literalpath|pspath|lp force! passthru!" + filters + login,
	"invoke-webrequest":    web,
	"invoke-restmethod":    web,
	"test-connection":      "targetname|computername|cn@0 count quiet! tcpport ipv4! ipv6! timeoutseconds timetolive resolvedestination! ping! delay buffersize repeat! traceroute! detailed!",
	"test-netconnection":   "computername|remoteaddress|cn@0 port|remoteport@1 commontcpport informationlevel traceroute! hops",
	"resolve-dnsname":      "name@0 type@1 server dnsonly! quicktimeout! tcponly! nohostsfile!",
	"start-process":        "filepath|pspath|path@0 argumentlist|args@1 workingdirectory wait! nonewwindow|nnw! windowstyle passthru! redirectstandardoutput|rso redirectstandarderror|rse redirectstandardinput|rsi# verb# credential# loaduserprofile|lup# usenewenvironment# environment#",
	"stop-process":         "id@0 name|processname force! passthru! inputobject#",
	"invoke-expression":    "command@0",
	"foreach-object":       "process@0 begin end remainingscripts membername argumentlist|args inputobject parallel throttlelimit timeoutseconds asjob# usenewrunspace#",
}

// builtins are words that a shell does not start a program for: a program of that name is
// another thing.
const builtins = " ! . : [ [[ ]] { } alias bg bind break builtin caller case cd command compgen complete continue coproc declare dirs disown do done elif else enable esac eval exec exit export " +
	"fc fg fi for function getopts hash help history if in jobs kill let local logout mapfile popd print printf pushd pwd read readarray readonly return select set setopt shift shopt source suspend " +
	"test then time times trap type typeset ulimit umask unalias unset unsetopt until wait while whence noglob nocorrect true false echo "
