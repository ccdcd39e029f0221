// SPDX-License-Identifier: Apache-2.0
package io.thalweg.checks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the checks need to know of a Markdown text: its links, code spans, anchors and snippets. */
final class Markdown {

    /** A link's text and target, and the line it stands on. */
    record Link(int line, String text, String target) {}

    /** A {@code `span`} in running text. */
    record Span(int line, String code) {}

    /** A fenced block that says which region of which file it repeats. */
    record Snippet(int line, String source, String code) {}

    private static final Pattern FENCE = Pattern.compile("^ {0,3}(`{3,}|~{3,}).*");
    private static final Pattern SPAN = Pattern.compile("(`+)(.+?)\\1");
    private static final Pattern LINK =
            Pattern.compile("\\[((?:[^\\[\\]]|\\[[^\\]]*])*)]\\(\\s*<?([^)\\s>]+)>?(?:\\s+\"[^\"]*\")?\\s*\\)");
    private static final Pattern DEFINITION = Pattern.compile("^ {0,3}\\[([^\\]]+)]:\\s*<?([^\\s>]+)>?.*");
    private static final Pattern HEADING = Pattern.compile("^ {0,3}#{1,6}\\s+(.*?)\\s*#*\\s*$");
    private static final Pattern NAMED = Pattern.compile("<[a-zA-Z]+[^>]*\\s(?:id|name)=\"([^\"]+)\"");
    private static final Pattern SNIPPET = Pattern.compile("^\\s*<!--\\s*snippet:\\s*(\\S+)\\s*-->\\s*$");

    private final List<Link> links = new ArrayList<>();
    private final List<Span> spans = new ArrayList<>();
    private final List<Snippet> snippets = new ArrayList<>();
    private final Set<String> anchors = new HashSet<>();

    private Markdown() {}

    /** @throws IllegalArgumentException if a snippet's marker has no block, or a block no end */
    static Markdown of(String text) {
        Markdown markdown = new Markdown();
        markdown.read(text.lines().toList());
        return markdown;
    }

    List<Link> links() {
        return links;
    }

    List<Span> spans() {
        return spans;
    }

    List<Snippet> snippets() {
        return snippets;
    }

    /** As GitHub makes them from headings, and those written as {@code id="…"}. */
    Set<String> anchors() {
        return anchors;
    }

    private void read(List<String> lines) {
        Map<String, Integer> headings = new HashMap<>();
        String source = "";
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            Matcher fence = FENCE.matcher(line);
            Matcher snippet = SNIPPET.matcher(line);
            if (fence.matches()) {
                int end = endOfBlock(lines, i, fence.group(1));
                if (!source.isEmpty()) {
                    snippets.add(new Snippet(i + 1, source, String.join("\n", lines.subList(i + 1, end))));
                    source = "";
                }
                i = end;
            } else if (snippet.matches()) {
                source = snippet.group(1);
            } else if (!source.isEmpty() && !line.isBlank()) {
                break;
            } else {
                readText(i + 1, line, headings);
            }
        }
        if (!source.isEmpty()) {
            throw new IllegalArgumentException("no fenced block follows <!-- snippet: " + source + " -->");
        }
    }

    private static int endOfBlock(List<String> lines, int start, String fence) {
        for (int i = start + 1; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.startsWith(fence) && line.chars().allMatch(c -> c == fence.charAt(0))) {
                return i;
            }
        }
        throw new IllegalArgumentException("line " + (start + 1) + ": the block that " + fence + " opens does not end");
    }

    private void readText(int number, String line, Map<String, Integer> headings) {
        Matcher heading = HEADING.matcher(line);
        if (heading.matches()) {
            String anchor = anchor(heading.group(1));
            int before = headings.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        NAMED.matcher(line).results().forEach(match -> anchors.add(match.group(1)));
        SPAN.matcher(line)
                .results()
                .forEach(match -> spans.add(new Span(number, match.group(2).strip())));

        // A link may hold a span, but a span holds no link.
        String visible = SPAN.matcher(line)
                .replaceAll(match -> Matcher.quoteReplacement(match.group().replace("](", "] (")));
        LINK.matcher(visible).results().forEach(match -> links.add(new Link(number, match.group(1), match.group(2))));
        Matcher definition = DEFINITION.matcher(visible);
        if (definition.matches()) {
            links.add(new Link(number, definition.group(1), definition.group(2)));
        }
    }

    private static String anchor(String heading) {
        return heading.replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}\\p{M}_\\- ]", "")
                .replace(' ', '-');
    }
}
