// SPDX-License-Identifier: Apache-2.0
package io.thalweg.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every test runs in some step of {@code .ci/run}, but for those that need a quiet machine or a service of the user's. */
final class ProfilesTest {
    /** Left out of the run on a newer JDK alone. */
    private static final String ONE_JDK = "one-jdk";

    /** Left out of verify; -Pcrash runs such tests by their names, and -Pnewer-jdk those that are not for one JDK alone. */
    private static final String CRASH = "crash";

    /** What it needs, nothing here can start. */
    private static final Set<String> BY_HAND = Set.of("RealRegistryTest");

    /** Modules whose long tests start clusters, for which the machine of {@code .ci/run} is too small. */
    private static final Set<String> BY_HAND_IN = Set.of("flink", "storm", "lab/drivers/flink", "lab/drivers/storm");

    private static final String POM = Repository.read(Repository.ROOT.resolve("pom.xml"));
    private static final String CI = Repository.read(Repository.ROOT.resolve(".ci/run"));
    private static final List<Path> TESTS = Repository.filesEndingIn(".java").stream()
            .filter(file -> Repository.name(file).contains("src/test/java/"))
            .toList();

    /** The first group of each match. */
    private static List<String> found(String regex, String text) {
        return Pattern.compile(regex, Pattern.DOTALL)
                .matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    private static String module(Path file) {
        return Repository.name(file).replaceAll("/src/test/java/.*", "");
    }

    private static String type(Path file) {
        return Repository.name(file).replaceAll(".*/|\\.java$", "");
    }

    /** Of all steps of -Pcrash. */
    private static Set<String> crashModules() {
        return found("-Pcrash (?:'?-D\\S+ )*-pl (\\S+) -am", CI).stream()
                .flatMap(modules -> Stream.of(modules.split(",")))
                .collect(Collectors.toSet());
    }

    /** Names of classes, in which * stands for any letters. */
    private static Set<String> crashTests() {
        return Set.of(found("<test>([^<]+)</test>", POM).get(0).split(","));
    }

    private static boolean isCrashTest(Path file) {
        return crashTests().stream().anyMatch(name -> type(file).matches(name.replace("*", ".*")));
    }

    @Test
    void everyTagShouldBeRunSomewhere() {
        List<String> lost = new ArrayList<>();
        for (Path file : TESTS) {
            Path pom = Repository.ROOT.resolve(module(file)).resolve("pom.xml");
            Set<String> run = new TreeSet<>(found("<groups>([^<\\s]+)</groups>", POM + Repository.read(pom)));
            run.add(ONE_JDK);
            if (isCrashTest(file)) {
                run.add(CRASH);
            }
            for (String tag : found("@Tag\\(\"([^\"]+)\"\\)", Repository.read(file))) {
                if (!run.contains(tag)) {
                    lost.add(Repository.name(file) + ": " + tag);
                }
            }
        }
        assertThat(lost)
                .as(
                        "tests with tags that no <groups> of their module's or the parent's pom.xml names, and -Pcrash does not run")
                .isEmpty();
    }

    /** In all modules: the step names none. */
    @Test
    void integrationTestsShouldBeRunInEveryModule() {
        assertThat(CI).containsPattern("(?m)^step [0-9]+ -Pintegration -Pintegration package \"\\$compiled\"$");
        assertThat(found("<id>integration</id>\\s*<properties>(.*?)</profile>", POM))
                .singleElement()
                .asString()
                .contains("<tests.left-out>long, corpus, crash</tests.left-out>")
                .contains("<groups>integration</groups>");
    }

    @Test
    void longTestsShouldBeRunInEveryModule() {
        assertThat(POM)
                .contains("<tests.left-out>integration, long, corpus, crash</tests.left-out>")
                .contains("<groups>long</groups>");
        Set<String> run = new TreeSet<>(BY_HAND_IN);
        for (String modules : found("(?m)^step [0-9]+ -Preal -Preal -pl (\\S+) -am ", CI)) {
            run.addAll(List.of(modules.split(",")));
        }
        Set<String> modules = new TreeSet<>();
        for (Path file : TESTS) {
            if (Repository.read(file).contains("@Tag(\"long\")")) {
                modules.add(module(file));
            }
        }
        assertThat(run).as("modules with tests tagged long").isEqualTo(modules);
        assertThat(Repository.modules())
                .as("modules that leave out tags, but not ${tests.left-out}")
                .noneMatch(module ->
                        found("<excludedGroups>([^<]+)</excludedGroups>", Repository.read(module.resolve("pom.xml")))
                                .stream()
                                .anyMatch(tags -> !tags.contains("${tests.left-out}")));
    }

    /** A test that a property enables is in -Pcrash, which sets such properties. */
    @Test
    void conditionalTestsShouldBeRunByCrash() {
        for (Path file : TESTS) {
            if (BY_HAND.contains(type(file))) {
                continue;
            }
            List<String> properties = found(
                    "@EnabledIf(?:SystemProperty|EnvironmentVariable)\\(\\s*named = \"([^\"]+)\"",
                    Repository.read(file));
            for (String property : properties) {
                assertThat(isCrashTest(file))
                        .as("%s is a test of -Pcrash", type(file))
                        .isTrue();
                assertThat(POM).as("what enables %s", type(file)).contains("<" + property + ">");
            }
        }
    }

    /** Both set what they leave out, and neither leaves out what is tagged crash. */
    @Test
    void crashTestsShouldBeLeftOutOfVerifyAlone() {
        for (String profile : List.of("crash", "newer-jdk")) {
            assertThat(found("<id>" + profile + "</id>\\s*<properties>(.*?)</properties>", POM))
                    .as("properties of -P%s", profile)
                    .singleElement()
                    .asString()
                    .contains("<tests.left-out>long, corpus</tests.left-out>");
        }
    }

    @Test
    void crashShouldRunWhatItNames() {
        for (String name : crashTests()) {
            assertThat(TESTS).as(name).anyMatch(file -> type(file).matches(name.replace("*", ".*")));
        }
        Set<String> modules = new TreeSet<>();
        for (Path file : TESTS) {
            if (isCrashTest(file)) {
                modules.add(module(file));
            }
        }
        assertThat(modules)
                .as("modules of tests that -Pcrash names, against those in .ci/run")
                .isEqualTo(crashModules());
    }

    @Test
    void everyModuleWithTestsShouldBeBuilt() {
        List<String> built = found("<module>([^<]+)</module>", POM);
        for (Path module : Repository.modules()) {
            if (Files.isDirectory(module.resolve("src/test/java"))) {
                assertThat(built).contains(Repository.name(module));
            }
        }
    }
}
