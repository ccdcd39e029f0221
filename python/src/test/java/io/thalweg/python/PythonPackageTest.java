// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The Python package's own tests. */
@Timeout(600)
final class PythonPackageTest {
    @Test
    void packageShouldPassItsTests() throws Exception {
        run("python3");
    }

    /** Those too that need msgpack or pyarrow. */
    @Test
    void packageShouldPassItsTestsWithOtherPackages() throws Exception {
        assertThat(run(Packages.interpreter(Packages.virtualenv()).toString())).doesNotContain("skipped=");
    }

    private static String run(String interpreter) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        List.of(interpreter, "-m", "unittest", "discover", "-s", "src/test/python"))
                .redirectErrorStream(true);
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        Process tests;
        try {
            tests = builder.start();
        } catch (IOException e) {
            return abort("python3 is not installed: the tests of the Python package are left out");
        }
        String output = new String(tests.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(tests.waitFor()).as(output).isZero();
        assertThat(output).containsPattern("Ran [1-9][0-9]* tests");
        return output;
    }
}
