// SPDX-License-Identifier: Apache-2.0
package io.thalweg.site;

import io.thalweg.lab.report.HtmlReport;
import io.thalweg.lab.result.ResultFiles;
import io.thalweg.lab.study.Studies;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Renders README.md and every file that is reached from it by links: Markdown and results of the lab as pages, sources with line
 * numbers.
 */
final class Guide {
    private static final List<Extension> EXTENSIONS =
            List.of(TablesExtension.create(), HeadingAnchorExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
    private static final HtmlRenderer RENDERER =
            HtmlRenderer.builder().extensions(EXTENSIONS).build();
    private static final String RESULTS = ".json.gz";
    private static final Set<String> COPIED = Set.of("html", "png", "svg", "css");

    private final Path root;
    private final Path site;
    private final Javadoc javadoc;
    private final Set<Path> known = new HashSet<>();
    private final Deque<Path> waiting = new ArrayDeque<>();

    Guide(Path root, Path site) throws IOException {
        this.root = root;
        this.site = site;
        javadoc = new Javadoc(site.resolve("apidocs"));
    }

    void write() throws IOException {
        try (InputStream style = Guide.class.getResourceAsStream("style.css")) {
            Files.copy(
                    Objects.requireNonNull(style, "style.css"),
                    site.resolve("style.css"),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        reach(root.resolve("README.md"));
        for (Path guide : guides()) {
            reach(guide);
        }
        while (!waiting.isEmpty()) {
            write(waiting.remove());
        }
    }

    private List<Path> guides() throws IOException {
        try (Stream<Path> files = Files.list(root.resolve("docs/guide"))) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    /** The place of a file's page; the page is written later. */
    private Path reach(Path file) {
        if (known.add(file)) {
            waiting.add(file);
        }
        return page(file);
    }

    private Path page(Path file) {
        String name = root.relativize(file).toString();
        if (name.equals("README.md")) {
            return site.resolve("index.html");
        }
        if (Files.isDirectory(file)) {
            return site.resolve(name).resolve("index.html");
        }
        if (name.endsWith(".md")) {
            return site.resolve(name.substring(0, name.length() - 3) + ".html");
        }
        if (name.endsWith(RESULTS)) {
            return site.resolve(name.substring(0, name.length() - RESULTS.length()) + ".html");
        }
        return site.resolve(isCopied(name) ? name : name + ".html");
    }

    private static boolean isCopied(String name) {
        return COPIED.contains(name.substring(name.lastIndexOf('.') + 1));
    }

    private void write(Path file) throws IOException {
        Path page = page(file);
        Files.createDirectories(Objects.requireNonNull(page.getParent()));
        if (Files.isDirectory(file)) {
            write(page, root.relativize(file).toString(), listing(file, page));
        } else if (file.toString().endsWith(".md")) {
            write(page, title(file), document(file, page));
        } else if (file.toString().endsWith(RESULTS)) {
            Files.writeString(page, HtmlReport.of(Studies.explained(ResultFiles.read(file))));
        } else if (isCopied(file.toString())) {
            Files.copy(file, page, StandardCopyOption.REPLACE_EXISTING);
        } else {
            write(page, root.relativize(file).toString(), source(file));
        }
    }

    private String document(Path file, Path page) throws IOException {
        Node document = PARSER.parse(Files.readString(file));
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                link.setDestination(destination(link.getDestination(), file, page));
                // Code in a link is not a link of its own.
            }

            @Override
            public void visit(Image image) {
                image.setDestination(destination(image.getDestination(), file, page));
            }

            @Override
            public void visit(Code code) {
                Path documented = javadoc.named(code.getLiteral());
                if (documented != null) {
                    Link link = new Link(relative(page, documented), null);
                    code.insertBefore(link);
                    link.appendChild(code);
                }
            }
        });
        return RENDERER.render(document);
    }

    /** Where a link of a document leads on the site: to a page, or to the Javadoc of a source. */
    private String destination(String target, Path document, Path page) {
        if (target.matches("[a-zA-Z][a-zA-Z0-9+.-]*:.*") || target.startsWith("#")) {
            return target;
        }
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        String fragment = hash < 0 ? "" : target.substring(hash);
        Path file = path.startsWith("/")
                ? root.resolve(path.substring(1))
                : document.resolveSibling(path).normalize();
        Path documented = fragment.isEmpty() ? javadoc.of(root.relativize(file).toString()) : null;
        if (documented != null) {
            return relative(page, documented);
        }
        return Files.exists(file)
                ? relative(page, reach(file)) + fragment.replaceFirst("(#L\\d+)-L\\d+", "$1")
                : target;
    }

    /** The files of a folder, without those of folders in it. */
    private String listing(Path folder, Path page) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile)
                    .sorted()
                    .map(file -> "<li><a href=\"" + relative(page, reach(file)) + "\">"
                            + escape(String.valueOf(file.getFileName())) + "</a></li>")
                    .collect(Collectors.joining("\n", "<ul>\n", "\n</ul>\n"));
        }
    }

    private static String source(Path file) throws IOException {
        List<String> lines = new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                .lines()
                .toList();
        return IntStream.range(0, lines.size())
                .mapToObj(i -> "<span id=\"L" + (i + 1) + "\">" + escape(lines.get(i)) + "</span>")
                .collect(Collectors.joining("\n", "<pre class=\"source\">", "</pre>\n"));
    }

    private void write(Path page, String title, String content) throws IOException {
        Files.writeString(page, """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%s</title>
                <link rel="stylesheet" href="%s">
                </head>
                <body>
                <nav>
                %s</nav>
                <main>
                %s</main>
                </body>
                </html>
                """.formatted(
                        escape(title), relative(page, site.resolve("style.css")), navigation(page), content));
    }

    private String navigation(Path page) throws IOException {
        StringBuilder links = new StringBuilder();
        add(links, page, site.resolve("index.html"), "Thalweg");
        add(links, page, site.resolve("apidocs/index.html"), "API (Javadoc)");
        for (Path guide : guides()) {
            add(links, page, page(guide), title(guide));
        }
        for (String more : List.of(
                "ARCHITECTURE.md",
                "docs/performance.md",
                "docs/decisions/README.md",
                "CHANGELOG.md",
                "CONTRIBUTING.md")) {
            add(links, page, reach(root.resolve(more)), title(root.resolve(more)));
        }
        return links.toString();
    }

    private static void add(StringBuilder links, Path from, Path to, String text) {
        links.append("<a href=\"" + relative(from, to) + "\"" + (from.equals(to) ? " class=\"here\"" : "") + ">"
                + escape(text) + "</a>\n");
    }

    /** The first heading. */
    private static String title(Path document) throws IOException {
        return Files.readAllLines(document).stream()
                .filter(line -> line.startsWith("# "))
                .map(line -> line.substring(2).replace("`", ""))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(document + " has no heading"));
    }

    private static String relative(Path from, Path to) {
        return Objects.requireNonNull(from.getParent())
                .relativize(to)
                .toString()
                .replace('\\', '/');
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
