// SPDX-License-Identifier: Apache-2.0
package io.thalweg.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents cannot lie about what can be looked up: files, anchors, lines, names, and code that they show. */
final class DocsTest {

    private static final Pattern ELSEWHERE = Pattern.compile("^[a-zA-Z][a-zA-Z0-9+.-]*:.*");
    private static final Pattern LINES = Pattern.compile("L(\\d+)(?:-L(\\d+))?");
    private static final Pattern MEMBER = Pattern.compile("((?:[A-Z]\\w*\\.)*[A-Z]\\w*)\\.(\\w+)(?:\\(.*\\))?");
    private static final Pattern SOURCE = Pattern.compile("[\\w./-]+\\.(?:java|sql|xml|sh|md|jsonl|csv)");

    private final List<String> faults = new ArrayList<>();

    @Test
    void everyRelativeLinkShouldLeadSomewhere() {
        for (Path document : Repository.filesEndingIn(".md")) {
            for (Markdown.Link link : markdown(document).links()) {
                if (!ELSEWHERE.matcher(link.target()).matches()) {
                    follow(document, link);
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void everySnippetShouldBeTheRegionItNames() {
        for (Path document : Repository.filesEndingIn(".md")) {
            for (Markdown.Snippet snippet : markdown(document).snippets()) {
                compare(document, snippet);
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void everyNameInTheArchitectureShouldExist() {
        for (Path document : Repository.filesEndingIn("ARCHITECTURE.md")) {
            for (Markdown.Span span : markdown(document).spans()) {
                lookUp(document, span);
            }
        }
        assertThat(faults).isEmpty();
    }

    private void follow(Path document, Markdown.Link link) {
        String target = link.target();
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        Path file = path.isEmpty()
                ? document
                : path.startsWith("/")
                        ? Repository.ROOT.resolve(path.substring(1))
                        : document.resolveSibling(path).normalize();
        if (!Files.exists(file)) {
            fault(document, link.line(), target + ": there is no " + Repository.name(file));
        } else if (hash >= 0) {
            followInside(document, link, file, target.substring(hash + 1));
        }
    }

    private void followInside(Path document, Markdown.Link link, Path file, String fragment) {
        Matcher lines = LINES.matcher(fragment);
        if (lines.matches()) {
            checkLine(document, link, file, Integer.parseInt(lines.group(2) == null ? lines.group(1) : lines.group(2)));
        } else if (!file.toString().endsWith(".md") || !markdown(file).anchors().contains(fragment)) {
            fault(document, link.line(), link.target() + ": " + Repository.name(file) + " has no #" + fragment);
        }
    }

    /** A link named for a member, as in [`Worker.run`](…/Worker.java#L57), leads to a line that says its name. */
    private void checkLine(Path document, Markdown.Link link, Path file, int number) {
        List<String> lines = Repository.read(file).lines().toList();
        if (number > lines.size()) {
            fault(
                    document,
                    link.line(),
                    link.target() + ": " + Repository.name(file) + " has " + lines.size() + " lines");
            return;
        }
        Matcher member = MEMBER.matcher(link.text().replace("`", ""));
        if (member.matches()) {
            Pattern name = Pattern.compile("(?<![.\\w])" + Pattern.quote(member.group(2)) + "\\b");
            if (!name.matcher(lines.get(number - 1)).find()) {
                String now = lines.stream()
                        .filter(line ->
                                name.matcher(line).find() && !line.strip().startsWith("*"))
                        .findFirst()
                        .map(line -> "line " + (lines.indexOf(line) + 1) + " does first")
                        .orElse("nor does any other");
                fault(
                        document,
                        link.line(),
                        link.target() + ": that line does not say " + member.group(2) + ", " + now);
            }
        }
    }

    private void compare(Path document, Markdown.Snippet snippet) {
        String[] source = snippet.source().split("#", 2);
        Path file = Repository.ROOT.resolve(source[0]);
        if (!Files.isRegularFile(file)) {
            fault(document, snippet.line(), "snippet: there is no " + source[0]);
            return;
        }
        try {
            String region = Region.of(Repository.read(file), source.length < 2 ? "" : source[1]);
            if (!region.equals(snippet.code().stripTrailing())) {
                fault(document, snippet.line(), "differs from " + snippet.source() + ", which says\n" + region + "\n");
            }
        } catch (IllegalArgumentException e) {
            fault(document, snippet.line(), source[0] + ": " + e.getMessage());
        }
    }

    private void lookUp(Path document, Markdown.Span span) {
        Matcher member = MEMBER.matcher(span.code());
        if (SOURCE.matcher(span.code()).matches()) {
            if (Repository.filesEndingIn("/" + span.code()).isEmpty()) {
                fault(document, span.line(), "there is no file " + span.code());
            }
        } else if (member.matches()) {
            String type = member.group(1);
            List<JavaClass> ours = ProjectClasses.MAIN.stream()
                    .filter(candidate -> ("." + candidate.getName().replace('$', '.')).endsWith("." + type))
                    .toList();
            if (ours.isEmpty() ? !isOfTheJdk(type) : ours.stream().allMatch(each -> hasNot(each, member.group(2)))) {
                fault(document, span.line(), "nothing is called " + span.code());
            }
        }
    }

    private static boolean hasNot(JavaClass type, String member) {
        return type.getAllMembers().stream()
                        .noneMatch(candidate -> candidate.getName().equals(member))
                && ProjectClasses.MAIN.stream()
                        .noneMatch(other -> other.getName().equals(type.getName() + "$" + member));
    }

    private static boolean isOfTheJdk(String type) {
        ClassLoader jdk = ClassLoader.getPlatformClassLoader();
        String file = type.replace('.', '$') + ".class";
        return Stream.of("java/lang/", "java/util/", "java/util/concurrent/", "java/util/concurrent/locks/")
                .anyMatch(part -> jdk.getResource(part + file) != null);
    }

    private Markdown markdown(Path document) {
        try {
            return Markdown.of(Repository.read(document));
        } catch (IllegalArgumentException e) {
            throw new AssertionError(Repository.name(document) + ": " + e.getMessage(), e);
        }
    }

    private void fault(Path document, int line, String what) {
        faults.add(Repository.name(document) + ":" + line + ": " + what);
    }
}
