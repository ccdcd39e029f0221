// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DriverMainTest {
    @TempDir
    private Path folder;

    private Process driver;

    /** Says that it runs, and by a file that it is closed; its runs end only if the cell says so. */
    public static final class Endless implements Driver {
        private Path last = Path.of("");

        @Override
        public String version() {
            return "1";
        }

        @Override
        public void run(Cell cell) throws Exception {
            last = cell.folder().path();
            System.out.println("it runs");
            if (cell.records() == 0) {
                new CountDownLatch(1).await();
            }
        }

        @Override
        public void close() throws IOException {
            Files.createFile(last.resolve("closed"));
        }
    }

    @AfterEach
    void leaveNoProcess() {
        driver.destroyForcibly();
    }

    /** As when the lab is killed: nobody tells the run to end. */
    @Test
    void shouldEndWithTheLab_thoughARunIsUnderWay() throws Exception {
        Writer orders = start("0");
        BufferedReader said = driver.errorReader(StandardCharsets.UTF_8);
        assertThat(said.lines().anyMatch("it runs"::equals)).isTrue();

        orders.close();

        assertThat(driver.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(driver.exitValue()).isEqualTo(3);
    }

    @Test
    void shouldCloseTheDriverWhenTheOrdersEnd() throws Exception {
        Writer orders = start("1");
        BufferedReader answers = driver.inputReader(StandardCharsets.UTF_8);
        assertThat(answers.readLine()).isEqualTo("version 1");
        assertThat(answers.readLine()).isEqualTo("done");
        assertThat(folder.resolve("closed")).doesNotExist();

        orders.close();

        assertThat(driver.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(driver.exitValue()).isZero();
        assertThat(folder.resolve("closed")).exists();
    }

    private Writer start(String records) throws IOException {
        Cell.of(Map.of("records", records), folder).write();
        driver = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DriverMain.class.getName(),
                        Endless.class.getName())
                .start();
        Writer orders = driver.outputWriter(StandardCharsets.UTF_8);
        orders.write(folder + "\n");
        orders.flush();
        return orders;
    }
}
