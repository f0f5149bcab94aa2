package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// xcodeSettings are build settings that choose between kinds of a build or name what is
// built, and that no program, flag, path or script is taken from (Xcode, Build Setting
// Reference). All others ask. Sorted.
const xcodeSettings = "ARCHS CODE_SIGNING_ALLOWED CODE_SIGNING_REQUIRED CODE_SIGN_IDENTITY CODE_SIGN_STYLE COMPILER_INDEX_STORE_ENABLE CURRENT_PROJECT_VERSION DEBUG_INFORMATION_FORMAT " +
	"DEVELOPMENT_TEAM ENABLE_BITCODE ENABLE_TESTABILITY EXCLUDED_ARCHS GCC_OPTIMIZATION_LEVEL GCC_TREAT_WARNINGS_AS_ERRORS IPHONEOS_DEPLOYMENT_TARGET MACOSX_DEPLOYMENT_TARGET " +
	"MARKETING_VERSION ONLY_ACTIVE_ARCH PRODUCT_BUNDLE_IDENTIFIER PROVISIONING_PROFILE_SPECIFIER SWIFT_OPTIMIZATION_LEVEL SWIFT_STRICT_CONCURRENCY SWIFT_TREAT_WARNINGS_AS_ERRORS " +
	"SWIFT_VERSION VALID_ARCHS"

// xcodeSetting takes a setting that stands among the actions of xcodebuild, and goes on
// with what follows it. ok is false for all other words.
func (m *machine) xcodeSetting(word string, args []string, in data, want bool) (out data, ok bool) {
	name, value, ok := cutAt(word, "=")
	if !ok || !mark.Among(xcodeSettings, name) || !plainSetting(value) {
		return data{}, false
	}
	if len(args) == 0 {
		m.build()
		return unknown, true
	}
	return m.run(append([]string{"xcodebuild"}, args...), in, want), true
}

// plainSetting says whether a setting's value is words, numbers and dashes alone.
func plainSetting(value string) bool {
	return strings.Trim(strings.ToLower(value), "abcdefghijklmnopqrstuvwxyz0123456789_-. ") == ""
}
