// SPDX-License-Identifier: Apache-2.0
package io.thalweg.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Finds links of the site that lead to no page or no anchor, and anything that a page would load from the network. */
final class LinkCheck {
    private static final String ELSEWHERE = "(?s)[a-zA-Z][a-zA-Z0-9+.-]*:.*";

    private final Path site;
    private final Path javadoc;
    private final Map<Path, Set<String>> anchors = new HashMap<>();
    private final List<String> broken = new ArrayList<>();

    LinkCheck(Path site) {
        this.site = site;
        javadoc = site.resolve("apidocs");
    }

    List<String> broken() throws IOException {
        List<Path> pages;
        try (Stream<Path> files = Files.walk(site)) {
            pages = files.filter(file -> file.toString().endsWith(".html"))
                    .sorted()
                    .toList();
        }
        for (Path page : pages) {
            check(page, Jsoup.parse(page));
        }
        return broken;
    }

    private void check(Path page, Document document) throws IOException {
        for (Element loaded : document.select("script[src], img[src], link[href]")) {
            String address = loaded.hasAttr("src") ? loaded.attr("src") : loaded.attr("href");
            if (address.matches("(https?:)?//.*")) {
                fault(page, address + " is loaded from the network");
            }
        }
        for (Element link : document.select("a[href], img[src]")) {
            String target = link.hasAttr("href") ? link.attr("href") : link.attr("src");
            if (!target.matches(ELSEWHERE)) {
                follow(page, target);
            }
        }
    }

    private void follow(Path page, String target) throws IOException {
        int hash = target.indexOf('#');
        String path = decode(hash < 0 ? target : target.substring(0, hash));
        Path file = path.isEmpty() ? page : page.resolveSibling(path).normalize();
        if (page.startsWith(javadoc) && file.startsWith(javadoc)) {
            return; // javadoc's own: it has a table of constants with a link that leads nowhere
        }
        if (!Files.isRegularFile(file)) {
            fault(page, target + ": there is no such page");
        } else if (hash >= 0
                && hash < target.length() - 1
                && !anchors(file).contains(decode(target.substring(hash + 1)))) {
            fault(page, target + ": the page has no such anchor");
        }
    }

    private Set<String> anchors(Path page) {
        return anchors.computeIfAbsent(page, file -> {
            try {
                Set<String> found = new HashSet<>();
                for (Element element : Jsoup.parse(file).select("[id], a[name]")) {
                    found.add(element.hasAttr("id") ? element.attr("id") : element.attr("name"));
                }
                return found;
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + file, e);
            }
        });
    }

    private static String decode(String address) {
        return URLDecoder.decode(address.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private void fault(Path page, String what) {
        broken.add(site.relativize(page) + ": " + what);
    }
}
