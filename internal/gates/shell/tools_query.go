package shell

// queryTools are clients of databases and other servers, whose harmless use is
// told by what they are asked, and converters that read a plain file, from
// their own manuals. Sorted by name.
var queryTools = [...]tool{
	{"convert", 'p', 0, "z", "=!n -version!h -format:n -verbose!n -ping!n -quiet!n -resize:n -quality:n -crop:n -rotate:n -strip!n -auto-orient!n -background:n -flatten!n -density:n -gravity:n -extent:n -colorspace:n -negate!n -flip!n -flop!n -trim!n -blur:n -alpha:n -type:n -depth:n -thumbnail:n -scale:n -append!n -bordercolor:n -border:n -fuzz:n -transparent:n"},
	{"ffmpeg", 'p', 0, "z", "=!n -i:z -vn!n -an!n -sn!n -y!n -n!n -c:n -c:v:n -c:a:n -c:s:n -vcodec:n -acodec:n -b:v:n -b:a:n -r:n -s:n -ss:n -t:n -to:n -crf:n -preset:n -pix_fmt:n -frames:v:n -vframes:n -q:a:n -q:v:n -ar:n -ac:n -movflags:n -map:n -shortest!n -loglevel:n -v:n -hide_banner!n -show_format!n -show_streams!n -show_entries:n -select_streams:n -of:n -print_format:n -count_frames!n -show_packets!n -show_frames!n -pretty!n -version!h -formats!h -codecs!h -encoders!h -decoders!h -nostdin!n -stats!n"},
	{"ffprobe", 'p', 0, "z", "=!n -i:z -vn!n -an!n -sn!n -y!n -n!n -c:n -c:v:n -c:a:n -c:s:n -vcodec:n -acodec:n -b:v:n -b:a:n -r:n -s:n -ss:n -t:n -to:n -crf:n -preset:n -pix_fmt:n -frames:v:n -vframes:n -q:a:n -q:v:n -ar:n -ac:n -movflags:n -map:n -shortest!n -loglevel:n -v:n -hide_banner!n -show_format!n -show_streams!n -show_entries:n -select_streams:n -of:n -print_format:n -count_frames!n -show_packets!n -show_frames!n -pretty!n -version!h -formats!h -codecs!h -encoders!h -decoders!h -nostdin!n -stats!n"},
	{"identify", 'p', 0, "z", "=!n -version!h -format:n -verbose!n -ping!n -quiet!n -resize:n -quality:n -crop:n -rotate:n -strip!n -auto-orient!n -background:n -flatten!n -density:n -gravity:n -extent:n -colorspace:n -negate!n -flip!n -flop!n -trim!n -blur:n -alpha:n -type:n -depth:n -thumbnail:n -scale:n -append!n -bordercolor:n -border:n -fuzz:n -transparent:n"},
	{"latex", 'b', 0, "z", "=!n -interaction:n interaction:n -output-directory:w output-directory:w -jobname:n jobname:n -halt-on-error!n halt-on-error!n -file-line-error!n file-line-error!n -synctex:n synctex:n -draftmode!n -no-shell-escape!n -recorder!n -version!h"},
	{"latexmk", 'b', 0, "z", "=!n -interaction:n interaction:n -output-directory:w output-directory:w -jobname:n jobname:n -halt-on-error!n halt-on-error!n -file-line-error!n file-line-error!n -synctex:n synctex:n -draftmode!n -no-shell-escape!n -recorder!n -version!h -pdf!n -xelatex!n -lualatex!n -c!n -C!n c!n C!n -cd!n f!n g!n -silent!n -quiet!n -outdir:w -bibtex!n"},
	{"lualatex", 'b', 0, "z", "=!n -interaction:n interaction:n -output-directory:w output-directory:w -jobname:n jobname:n -halt-on-error!n halt-on-error!n -file-line-error!n file-line-error!n -synctex:n synctex:n -draftmode!n -no-shell-escape!n -recorder!n -version!h"},
	{"magick", 'p', 0, "z", "=!n -version!h -format:n -verbose!n -ping!n -quiet!n -resize:n -quality:n -crop:n -rotate:n -strip!n -auto-orient!n -background:n -flatten!n -density:n -gravity:n -extent:n -colorspace:n -negate!n -flip!n -flop!n -trim!n -blur:n -alpha:n -type:n -depth:n -thumbnail:n -scale:n -append!n -bordercolor:n -border:n -fuzz:n -transparent:n"},
	{"mariadb", 'p', 0, "b", "=!n e:z execute:z h:h host:h P:n port:n u:n user:n p?n password?n D:n database:n N!n skip-column-names!n s!n silent!n B!n batch!n t!n table!n E!n vertical!n v!n verbose!n r!n raw!n H!n html!n X!n xml!n f!n force!n default-character-set:n ssl-mode:n protocol:n V!h"},
	{"mariadb-admin", 'p', 0, "z", "=!n e:z execute:z h:h host:h P:n port:n u:n user:n p?n password?n D:n database:n N!n skip-column-names!n s!n silent!n B!n batch!n t!n table!n E!n vertical!n v!n verbose!n r!n raw!n H!n html!n X!n xml!n f!n force!n default-character-set:n ssl-mode:n protocol:n V!h"},
	{"mysql", 'p', 0, "b", "=!n e:z execute:z h:h host:h P:n port:n u:n user:n p?n password?n D:n database:n N!n skip-column-names!n s!n silent!n B!n batch!n t!n table!n E!n vertical!n v!n verbose!n r!n raw!n H!n html!n X!n xml!n f!n force!n default-character-set:n ssl-mode:n protocol:n V!h"},
	{"mysqladmin", 'p', 0, "z", "=!n e:z execute:z h:h host:h P:n port:n u:n user:n p?n password?n D:n database:n N!n skip-column-names!n s!n silent!n B!n batch!n t!n table!n E!n vertical!n v!n verbose!n r!n raw!n H!n html!n X!n xml!n f!n force!n default-character-set:n ssl-mode:n protocol:n V!h"},
	{"pdflatex", 'b', 0, "z", "=!n -interaction:n interaction:n -output-directory:w output-directory:w -jobname:n jobname:n -halt-on-error!n halt-on-error!n -file-line-error!n file-line-error!n -synctex:n synctex:n -draftmode!n -no-shell-escape!n -recorder!n -version!h"},
	{"pg_isready", 'p', 'v', "n", "h:h host:h p:n port:n d:b dbname:b U:n t:n q!n"},
	{"psql", 'p', 0, "bn", "=!n c:z command:z h:h host:h p:n port:n U:n username:n d:b dbname:b t!n tuples-only!n A!n no-align!n q!n quiet!n X!n no-psqlrc!n l!h list!h w!n no-password!n x!n expanded!n H!n html!n csv!n F:n field-separator:n R:n P:n pset:n v:n set:n variable:n e!n echo-queries!n a!n b!n E!n 1!n single-transaction!n z!n 0!n V!h"},
	{"redis-cli", 'p', 0, "z", "=!n h:h p:n n:n a:n user:n pass:n scan!E pattern:n raw!n no-raw!n csv!n json!n no-auth-warning!n r:n i:n"},
	{"sqlite", 'p', 0, "rz", "=!n"},
	{"sqlite3", 'p', 0, "rz", "=!n -header!n -noheader!n -csv!n -json!n -line!n -column!n -box!n -table!n -markdown!n -html!n -list!n -quote!n -tabs!n -ascii!n -readonly!n -safe!n -batch!n -bail!n -echo!n -separator:n -newline:n -nullvalue:n -cmd:z -version!h -help!h -stats!n"},
	{"tectonic", 'b', 0, "z", "=!n o:w outdir:w X!n k!n keep-logs!n keep-intermediates!n synctex!n"},
	{"valkey-cli", 'p', 0, "z", "=!n h:h p:n n:n a:n user:n pass:n raw!n no-raw!n csv!n json!n no-auth-warning!n r:n i:n"},
	{"xelatex", 'b', 0, "z", "=!n -interaction:n interaction:n -output-directory:w output-directory:w -jobname:n jobname:n -halt-on-error!n halt-on-error!n -file-line-error!n file-line-error!n -synctex:n synctex:n -draftmode!n -no-shell-escape!n -recorder!n -version!h"},
	{"xmlstarlet", '/', 0, "", ""},
	{"xmlstarlet ed", 'p', 0, "r", "=!n L!i inplace!i u:n update:n v:n value:n d:n delete:n a:n append:n i:n insert:n s:n subnode:n t:n type:n n:n name:n r:n rename:n x:n m:n O!n P!n S!n N:n"},
	{"xmlstarlet el", 'p', 0, "r", "=!n a!n v!n u!n d?n"},
	{"xmlstarlet fo", 'p', 0, "r", "=!n t!n s:n indent-spaces:n o!n R!n D!n n!n e:n H!n N!n Q!n"},
	{"xmlstarlet sel", 'p', 0, "r", "=!n t!n template!n v:y value-of:y m:y match:y c:y copy-of:y o:n output:n i:y if:y e:n elem:n a:n attr:n s:n sort:n n!n nl!n b!n break!n T!n text!n I!n indent!n R!n root!n D!n B!n E:n Q!n N:n"},
	{"xmlstarlet val", 'p', 0, "r", "=!n w!n e!n d:r s:r r:r q!n b!n g!n"},
}
