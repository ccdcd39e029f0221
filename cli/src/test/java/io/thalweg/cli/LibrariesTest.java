// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job's file declares libraries, which a real Maven resolves. */
@Tag("integration")
final class LibrariesTest {
    private static final String TEXT = "//DEPS org.apache.commons:commons-text:1.14.0 // for WordUtils";

    @TempDir
    private Path folder;

    private Cli cli;

    @BeforeEach
    void makeCli() {
        cli = new Cli(folder)
                .withOwnCache()
                .withJava("-Dthalweg.home=" + Path.of("..").toAbsolutePath().normalize());
    }

    @AfterEach
    void destroy() {
        cli.destroy();
    }

    private void job(String declaration, String expression) {
        cli.write("Greetings.java", """
                %s
                import io.thalweg.api.connector.*;
                import io.thalweg.api.topology.*;

                public class Greetings implements TopologyDefinition {
                    @Override
                    public void define(Topology topology, Settings settings) {
                        topology.from(Sources.of("good morning", "good night")).map(text -> %s).to(Sinks.print());
                    }
                }
                """.formatted(declaration, expression));
    }

    /** The library needs another one, which nobody declares. */
    @Test
    void shouldResolveOnce() throws Exception {
        job(TEXT, "org.apache.commons.text.WordUtils.capitalize(text)");

        Cli.Outcome first = cli.run("run", "Greetings.java", "--quiet");
        Cli.Outcome second = cli.run("run", "Greetings.java", "--quiet");

        assertThat(first.code()).as(first.error()).isZero();
        assertThat(first.outLines()).containsExactly("Good Morning", "Good Night");
        assertThat(first.error())
                .isEqualTo("thalweg: resolving org.apache.commons:commons-text:1.14.0 with Maven ...\n");
        assertThat(second).isEqualTo(new Cli.Outcome(0, first.out(), ""));
    }

    @Test
    void shouldResolveAgain_whereWhatWasKeptIsDamaged() throws Exception {
        job(TEXT, "org.apache.commons.text.WordUtils.capitalize(text)");
        cli.run("run", "Greetings.java", "--quiet");
        try (Stream<Path> kept = Files.list(folder.resolve("cache/thalweg/jobs"))) {
            for (Path each :
                    kept.filter(file -> file.toString().endsWith(".libraries")).toList()) {
                Files.writeString(each, Files.readString(each).replace("commons-lang3", "commons-gone"));
            }
        }

        Cli.Outcome again = cli.run("run", "Greetings.java", "--quiet");

        assertThat(again.outLines()).containsExactly("Good Morning", "Good Night");
        assertThat(again.error()).startsWith("thalweg: resolving ");
    }

    @Test
    void shouldNameWhatCannotBeFound() throws Exception {
        job("//DEPS org.apache.commons:commons-text:0.0.0-none", "text");

        Cli.Outcome outcome = cli.run("run", "Greetings.java", "--quiet");

        assertThat(outcome.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(outcome.errorLines())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("thalweg: the libraries of Greetings.java cannot be resolved: Could not ")
                .contains("org.apache.commons:commons-text:jar:0.0.0-none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"//DEPS commons-text", "//DEPS a:b", "//DEPS <a>:b:c", "//DEPS a:b:c@pom"})
    void shouldSayWhichLineIsMalformed(String declaration) throws Exception {
        job("// A greeting.\n" + declaration, "text");

        Cli.Outcome outcome = cli.run("run", "Greetings.java");

        assertThat(outcome.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(outcome.errorLines())
                .containsExactly("thalweg: Greetings.java, line 2: //DEPS takes group:artifact:version, or"
                        + " group:artifact:version:classifier, not '" + declaration.substring(7) + "'");
    }

    @Test
    void shouldSayThatMavenIsMissing() throws Exception {
        job(TEXT, "text");

        Cli.Outcome outcome =
                new Cli(folder).withEnvironment("PATH", folder.toString()).run("run", "Greetings.java", "--quiet");

        assertThat(outcome.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(outcome.error())
                .endsWith("Greetings.java declares libraries with //DEPS, and Maven, which resolves them, is not on the"
                        + " PATH; install it, or pack the job and its libraries into one jar\n");
    }
}
