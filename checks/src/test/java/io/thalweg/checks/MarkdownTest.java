// SPDX-License-Identifier: Apache-2.0
package io.thalweg.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class MarkdownTest {

    @Test
    void shouldFindLinksOutsideOfCode() {
        Markdown markdown = Markdown.of("""
                See [`Worker.run`](engine/Worker.java#L57) and ![a picture](docs/a.png "title"), not `[a](b)`.
                ```
                [c](d)
                ```
                [e]: f.md
                """);

        assertThat(markdown.links())
                .containsExactly(
                        new Markdown.Link(1, "`Worker.run`", "engine/Worker.java#L57"),
                        new Markdown.Link(1, "a picture", "docs/a.png"),
                        new Markdown.Link(5, "e", "f.md"));
        assertThat(markdown.spans()).extracting(Markdown.Span::code).containsExactly("Worker.run", "[a](b)");
    }

    @Test
    void shouldNameAnchorsAsGitHubDoes() {
        Markdown markdown = Markdown.of("""
                # Doors in, roads out
                ## `Topology.of`: how?
                ## A [link](b.md)
                ## A link
                <a id="by-hand"></a>
                """);

        assertThat(markdown.anchors())
                .containsExactlyInAnyOrder("doors-in-roads-out", "topologyof-how", "a-link", "a-link-1", "by-hand");
    }

    @Test
    void shouldFindSnippets() {
        Markdown markdown = Markdown.of("""
                <!-- snippet: examples/A.java#first -->

                ```java
                int a;

                int b;
                ```
                """);

        assertThat(markdown.snippets())
                .containsExactly(new Markdown.Snippet(3, "examples/A.java#first", "int a;\n\nint b;"));
    }

    @Test
    void shouldRefuseASnippetWithoutABlock() {
        assertThatThrownBy(() -> Markdown.of("<!-- snippet: A.java#first -->\ntext\n"))
                .hasMessageContaining("A.java#first");
    }

    @Test
    void shouldCutARegionOutOfItsFile() {
        String file = """
                class A {
                    // region outer
                    int a;
                    // region inner
                        int b;
                    // endregion
                    // endregion
                    int c;
                }
                """;

        assertThat(Region.of(file, "outer")).isEqualTo("int a;\n    int b;");
        assertThat(Region.of(file, "inner")).isEqualTo("int b;");
        assertThatThrownBy(() -> Region.of(file, "other")).hasMessageContaining("region other");
    }
}
