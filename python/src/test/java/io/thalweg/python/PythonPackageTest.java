// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Python package's own tests. */
@Timeout(600)
final class PythonPackageTest {
    @Test
    void packageShouldPassItsTests() throws Exception {
        String said = call(Path.of(""), List.of("python3", "-m", "unittest", "discover", "-s", "src/test/python"));
        assertThat(said).containsPattern("Ran [1-9][0-9]* tests");
    }

    /** Those too that need msgpack or pyarrow; pytest comes from an environment of its own. */
    @Test
    void packageShouldPassItsTestsWithOtherPackages_underPytest() throws Exception {
        String python = Packages.interpreter(Packages.virtualenv()).toString();
        String said = call(
                Path.of(""),
                Map.of("PYTHONPATH", sitePackages(Packages.withPytest()).toString()),
                List.of(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "src/test/python"));
        assertThat(said).containsPattern("[1-9][0-9]* passed").doesNotContain("failed", "skipped");
    }

    private static Path sitePackages(Path virtualenv) throws IOException {
        try (Stream<Path> versions = Files.list(virtualenv.resolve("lib"))) {
            return versions.map(each -> each.resolve("site-packages"))
                    .filter(Files::isDirectory)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** From a copy of the folder, since to build it writes there. */
    @Test
    void packageShouldBeInstalledByPip(@TempDir Path folder) throws Exception {
        String python = Packages.interpreter(Packages.withPytest()).toString();
        Path copy = folder.resolve("python");
        for (String each : List.of("pyproject.toml", "src/main/python/thalweg")) {
            copy(Path.of(each), copy.resolve(each));
        }
        Path site = folder.resolve("site");
        call(
                folder,
                List.of(
                        python,
                        "-m",
                        "pip",
                        "install",
                        "-q",
                        "--disable-pip-version-check",
                        "--no-build-isolation",
                        "--no-index",
                        "--target",
                        site.toString(),
                        copy.toString()));
        assertThat(site.resolve("thalweg/py.typed")).exists();
        String imported = call(
                site,
                List.of(python, "-c", "import thalweg.storm, thalweg; print(thalweg.__file__, thalweg.operator)"));
        assertThat(imported).startsWith(site.resolve("thalweg/__init__.py").toString());
        String extras = call(
                site,
                List.of(
                        python,
                        "-c",
                        "from importlib.metadata import metadata; print(metadata('thalweg').get_all('Provides-Extra'))"));
        assertThat(extras).contains("'fast'", "'arrow'");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                Path target = to.resolve(from.relativize(each).toString());
                Files.createDirectories(target.getParent());
                Files.copy(each, target);
            }
        }
    }

    /** What a command says that ends well. */
    private static String call(Path folder, List<String> command) throws Exception {
        return call(folder, Map.of(), command);
    }

    private static String call(Path folder, Map<String, String> environment, List<String> command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.directory(folder.toAbsolutePath().toFile());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        builder.environment().putAll(environment);
        Process called;
        try {
            called = builder.start();
        } catch (IOException e) {
            return abort("python3 is not installed: the tests of the Python package are left out");
        }
        String output = new String(called.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(called.waitFor()).as(output).isZero();
        return output;
    }
}
