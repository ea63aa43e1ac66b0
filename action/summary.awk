# Makes a Markdown table of the workflow commands that `cnflint --format github` prints. What files and messages hold is shown
# as text: every character that Markdown or HTML would heed is written as a character reference.

function decoded(text) {
  gsub(/%0D/, "", text); gsub(/%0A/, "\n", text); gsub(/%3A/, ":", text); gsub(/%2C/, ",", text); gsub(/%25/, "%", text)
  return text
}

function shown(text) {
  gsub(/&/, "\\&amp;", text); gsub(/#/, "\\&#35;", text)
  gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text); gsub(/\|/, "\\&#124;", text)
  gsub(/\*/, "\\&#42;", text); gsub(/_/, "\\&#95;", text); gsub(/~/, "\\&#126;", text); gsub(/@/, "\\&#64;", text)
  gsub(/\[/, "\\&#91;", text); gsub(/\]/, "\\&#93;", text); gsub(/\\/, "\\&#92;", text); gsub(/\$/, "\\&#36;", text)
  gsub(/:/, "\\&#58;", text); gsub(/!/, "\\&#33;", text)
  return text
}

# A pair of backticks encloses code. Line breaks go first: the awk of macOS would split there too.
function code(text,   parts, n, i, result) {
  gsub(/\n/, "<br>", text)
  n = split(text, parts, "`")
  result = parts[1]
  for (i = 2; i <= n; i++) {
    if (i % 2 == 0 && i < n) result = result "<code>" parts[i] "</code>"
    else if (i % 2 == 0) result = result "&#96;" parts[i]
    else result = result parts[i]
  }
  return result
}

{
  rest = substr($0, 3)
  severity = substr(rest, 1, index(rest, " ") - 1)
  rest = substr(rest, index(rest, " ") + 1)
  end = index(rest, "::")
  split("", property)
  n = split(substr(rest, 1, end - 1), list, ",")
  for (i = 1; i <= n; i++) property[substr(list[i], 1, index(list[i], "=") - 1)] = substr(list[i], index(list[i], "=") + 1)
  if (severity == "notice") severity = "advice"
  count[severity]++
  if (NR > limit) next
  place = shown(decoded(property["file"])) "&#58;" property["line"]
  gsub(/`/, "\\&#96;", place); gsub(/\n/, " ", place)
  rows = rows "| " severity " | " place " | " property["title"] " | " code(shown(decoded(substr(rest, end + 2)))) " |\n"
}

END {
  if (NR == 0) { print "Nothing was found.\n"; exit }
  printf "%d %s, %d %s, %d advice\n\n", count["error"], (count["error"] == 1 ? "error" : "errors"),
    count["warning"], (count["warning"] == 1 ? "warning" : "warnings"), count["advice"]
  printf "| severity | place | rule | finding |\n|---|---|---|---|\n%s\n", rows
  if (NR > limit) printf "The log has %d more.\n\n", NR - limit
}
