package shell

// scriptLists are what inline code of PHP, Ruby and Lua may name, from the reference
// manuals of the languages (php.net/manual/en/funcref.php; docs.ruby-lang.org/en/3.4,
// Kernel and core classes; lua.org/manual/5.4). No function is listed that calls
// another by its name.
var scriptLists = [...]scriptWords{
	{
		name:     "lua",
		keywords: "and break do else elseif end false for function goto if in local nil not or repeat return then true until while",
		calls:    "print pairs ipairs type tostring tonumber string table math select next pcall error assert unpack utf8 arg self _VERSION rawequal rawlen",
		methods: "format rep sub gsub gmatch match find len lower upper reverse byte insert remove concat sort unpack pack maxn floor ceil abs max min sqrt sin cos tan exp log pi huge random randomseed fmod modf tointeger type maxinteger mininteger " +
			"codepoint codes pow mod",
	},
	{
		name: "php",
		keywords: "echo print if else elseif endif while endwhile for endfor foreach endforeach as do switch case default break continue return function fn class extends new use global static const public private protected readonly enum match throw try catch finally " +
			"list array isset empty unset exit die and or xor not instanceof true false null int float string bool void mixed self parent this abstract final interface implements yield",
		calls: "abs acos array_chunk array_column array_combine array_count_values array_diff array_diff_key array_fill array_fill_keys array_flip array_intersect array_intersect_key array_is_list array_key_exists array_key_first array_key_last array_keys array_merge array_merge_recursive " +
			"array_pad array_pop array_product array_push array_rand array_replace array_reverse array_search array_shift array_slice array_splice array_sum array_unique array_unshift array_values arsort asin asort atan atan2 base64_encode base_convert bin2hex bindec ceil checkdate " +
			"chunk_split compact cos count crc32 ctype_alnum ctype_alpha ctype_digit ctype_lower ctype_upper ctype_punct ctype_space ctype_xdigit current date date_create date_default_timezone_get date_default_timezone_set date_diff decbin dechex decoct deg2rad end exp explode " +
			"extension_loaded floatval floor fmod fdiv gettype get_object_vars gmdate hash hash_algos hexdec hrtime html_entity_decode htmlentities htmlspecialchars hypot implode in_array intdiv intval is_array is_bool is_float is_int is_integer is_null is_numeric is_object is_string " +
			"join json_decode json_encode json_last_error_msg key krsort ksort lcfirst levenshtein log log10 ltrim max mb_strlen mb_strtolower mb_strtoupper mb_substr md5 memory_get_peak_usage memory_get_usage microtime min mktime mt_getrandmax mt_rand mt_srand natcasesort natsort next nl2br " +
			"number_format octdec ord password_hash password_verify php_sapi_name php_uname phpversion pi pow preg_grep preg_match preg_match_all preg_quote preg_replace preg_split prev print_r printf rad2deg rand random_int range reset round rsort rtrim serialize sha1 shuffle similar_text " +
			"sin sizeof sleep sort soundex sprintf sqrt str_contains str_ends_with str_getcsv str_pad str_repeat str_replace str_ireplace str_split str_starts_with str_word_count strcasecmp strcmp stripos strlen strncmp strpos strrpos strstr strtolower strtotime strtoupper strtr strval substr " +
			"substr_count substr_replace tan time trim ucfirst ucwords uniqid usleep utf8_encode var_dump var_export version_compare vsprintf wordwrap zend_version datetime datetimeimmutable dateinterval dateperiod datetimezone stdclass exception runtimeexception invalidargumentexception " +
			"typeerror error arrayobject splstack splqueue splobjectstorage spl_object_id jsonexception get_loaded_extensions php_ini_loaded_file",
		methods: "format modify diff add sub gettimestamp settime setdate settimezone gettimezone createfromformat getmessage getcode getline getname now push pop top enqueue dequeue isempty count attach contains offsetget __construct tryfrom from cases",
	},
	{
		name: "ruby",
		keywords: "BEGIN END alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield __method__ " +
			"attr_accessor attr_reader attr_writer private public protected include extend raise lambda proc loop",
		calls: "puts print p pp printf sprintf format gets rand srand sleep exit abort warn catch throw block_given Integer Float String Array Hash Rational Complex Math Comparable Enumerable Struct Set Time Date DateTime JSON Symbol Range Regexp Random ARGV ARGF STDIN STDOUT STDERR " +
			"RUBY_VERSION RUBY_PLATFORM RUBY_ENGINE StandardError ArgumentError RuntimeError KeyError ZeroDivisionError TypeError NoMethodError NameError NilClass TrueClass FalseClass Object BasicObject Numeric Proc Digest SecureRandom BigDecimal PI E SHA256 MD5 SHA1 JSON Data Exception " +
			"NotImplementedError StopIteration IndexError RangeError FloatDomainError ParserError Base64 Benchmark CSV freeze",
		methods: "new each map select reject reduce inject sum count size length first last push pop shift unshift concat join split strip lstrip rstrip chomp chop upcase downcase capitalize swapcase reverse sort sort_by min max min_by max_by minmax uniq compact flatten zip include index rindex find find_index detect " +
			"find_all each_with_index each_with_object each_slice each_cons each_char each_line each_key each_value each_pair each_entry group_by partition chunk_while slice_when tally take drop take_while drop_while all any none one cycle times upto downto step to_i to_f to_s to_a to_h to_sym to_r to_c to_json to_set inspect " +
			"keys values key value has_key key fetch dig store delete delete_at delete_if keep_if merge transform_values transform_keys invert any empty nil zero positive negative even odd between clamp abs floor ceil round divmod pow gcd lcm digits bit_length succ pred ord hex oct sub gsub tr tr_s delete squeeze scan match start_with end_with " +
			"center ljust rjust insert replace slice chars bytes lines codepoints encoding force_encoding encode unicode_normalize valid_encoding ascii_only casecmp eql equal hash frozen freeze dup clone is_a kind_of instance_of respond_to class name superclass ancestors now at today parse strptime strftime iso8601 year month day hour min sec usec wday yday " +
			"to_date to_time utc localtime mjd jd leap generate pretty_generate parse sqrt sin cos tan atan log log2 log10 exp hypot cbrt PI E rand shuffle sample permutation combination product transpose rotate values_at filter filter_map flat_map each_entry lazy force first eager entries sum begin end rewind next size step captures named_captures pre_match post_match names " +
			"message backtrace full_message call curry arity parameters then tap itself yield_self read gets getc readline readlines each_line write print puts flush sync hexdigest digest base64digest hex uuid random_number alphanumeric members add subset superset union intersection difference disjoint proper_subset with deconstruct " +
			"urlsafe_encode64 strict_encode64 encode64 realtime measure headers foldl nsec quo fdiv truncate rationalize numerator denominator real imaginary conjugate rect polar union last_match escape source options SHA256 MD5 SHA1 " +
			"initialize attr_accessor all? any? none? empty? nil? unpack1 ord chr each_cons sum minmax_by each_entry find_all collect collect_concat inject entries zip dig fetch_values values_at assoc rassoc compare_by_identity default default_proc sort! map! select! reject! uniq! compact! flatten! reverse! shuffle! rotate! " +
			"upcase! downcase! capitalize! swapcase! gsub! sub! strip! chomp! squeeze! tr! merge! transform_values! transform_keys! filter! concat prepend append slice! fill bsearch bsearch_index cycle dropwhile sum tally_by zip step % remainder integer? finite? infinite? nan? next_float prev_float allbits anybits nobits " +
			"succ! next! each_byte each_grapheme_cluster grapheme_clusters casecmp? delete_prefix delete_suffix partition rpartition scrub undump dump crypt unicode_normalize unicode_normalized squish expand_tabs byteindex byteslice setbyte getbyte each_codepoint except slice filter_map deconstruct_keys " +
			"instance_variables instance_variable_defined public_methods instance_methods public_instance_methods constants const_defined include? included_modules singleton_methods method_defined owner source_location lazy eager chunk_while product prev_day next_day prev_month next_month beginning_of_week cwday cweek saturday sunday monday leap httpdate rfc2822 xmlschema to_datetime localtime getlocal gmtime utc_offset zone " +
			"mon mday hour min sec subsec usec total bm bmbm report tms format label real utime stime caption unparse parse_line generate_line headers by_col by_row to_csv each_row to_hash det determinant inverse row column rank each_prime prime prime_division rindex union resize ceildiv intern freeze allocate instance_of",
	},
}
