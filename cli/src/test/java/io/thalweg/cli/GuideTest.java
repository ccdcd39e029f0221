// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.stats.BadReason;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.LatencyHistogram;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.api.stats.ProcessStats;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.cli.Cli.Outcome;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guide shows what the command line does: transcripts are run, options and fields compared. */
final class GuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "guide");
    private static final Pattern TRANSCRIPT = Pattern.compile("(?s)```console\n(.*?)```");
    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]+");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|");

    @TempDir
    Path folder;

    @Test
    void shouldShowWhatIsPrinted() throws Exception {
        Cli cli = new Cli(folder.toRealPath());
        try (InputStream job = Objects.requireNonNull(GuideTest.class.getResourceAsStream("/Levels.java"))) {
            cli.write("Levels.java", new String(job.readAllBytes(), StandardCharsets.UTF_8));
        }
        cli.write("levels.txt", "312\n298\nhigh\n305\n");
        for (MatchResult block :
                TRANSCRIPT.matcher(guide("command-line")).results().toList()) {
            String shown = block.group(1);
            StringBuilder printed = new StringBuilder();
            int code = 0;
            for (String line :
                    shown.lines().filter(each -> each.startsWith("$ ")).toList()) {
                printed.append(line).append('\n');
                String command = line.substring(2);
                if (command.equals("echo $?")) {
                    printed.append(code).append('\n');
                } else {
                    Outcome run = run(cli, command);
                    code = run.code();
                    printed.append(run.out()).append(run.error());
                }
            }
            assertThat(masked(printed.toString())).isEqualTo(masked(shown));
        }
    }

    private static Outcome run(Cli cli, String command) throws Exception {
        String input = "";
        String rest = command;
        if (rest.startsWith("echo ")) {
            input = rest.substring("echo ".length(), rest.indexOf(" | ")) + "\n";
            rest = rest.substring(rest.indexOf(" | ") + 3);
        }
        assertThat(rest).startsWith("thalweg ");
        return cli.runOn(input, rest.substring("thalweg ".length()).split(" "));
    }

    /** Without what differs from run to run and from machine to machine. */
    private String masked(String text) throws Exception {
        return text.replaceAll("in [\\d.]+ s:", "in N s:")
                .replaceAll("[\\d.]+( [kMG])?/s", "N/s")
                .replaceAll("p(50|99) [<\\d.]+ [um]?s", "p$1 N")
                .replace(folder.toRealPath().toString(), "/home/me/rivers");
    }

    @Test
    void shouldNameEveryOption() throws Exception {
        String options = new Cli(folder).run("run", "--help").out();
        String guide = guide("command-line");

        assertThat(options(guide.substring(guide.indexOf("| option"), guide.indexOf("### Java options"))))
                .isEqualTo(options(options));
    }

    /** The list has the first line of each description: it must not break off there. */
    @Test
    void shouldSayInWholeSentencesWhatCommandsAreFor() throws Exception {
        String help = new Cli(folder).run("--help").out();
        String commands = help.substring(help.indexOf("Commands:\n")).replaceAll("\n {4,}", " ");

        assertThat(commands.lines().skip(1).filter(line -> line.startsWith("  ")))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).matches("  [a-z]+ +[A-Z].*\\."));
    }

    @Test
    void shouldUseOptionsThatExistInTheUnit() throws Exception {
        String options = new Cli(folder).run("run", "--help").out();
        String unit = Files.readString(Path.of("src", "test", "resources", "levels.service"));

        assertThat(options(options)).containsAll(options(unit));
    }

    private static List<String> options(String text) {
        return OPTION.matcher(text)
                .results()
                .map(MatchResult::group)
                .distinct()
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                JobStats.class,
                BadReason.class,
                LatencyStats.class,
                LatencyHistogram.class,
                ProcessStats.class,
                TaskStats.class,
                PlanInfo.class,
                PlanInfo.Operator.class,
                PlanInfo.Chain.class,
                PlanInfo.Edge.class,
                PlanInfo.Option.class
            })
    void shouldNameEveryMeasurement(Class<?> record) throws Exception {
        String guide = guide("stats");
        int begin = guide.indexOf("## " + record.getSimpleName() + "\n");
        int end = guide.indexOf("\n## ", begin + 1);

        assertThat(ROW.matcher(guide.substring(begin, end < 0 ? guide.length() : end))
                        .results()
                        .map(row -> row.group(1)))
                .containsExactlyElementsOf(Arrays.stream(record.getRecordComponents())
                        .map(RecordComponent::getName)
                        .toList());
    }

    private static String guide(String name) throws Exception {
        return Files.readString(GUIDE.resolve(name + ".md"));
    }
}
