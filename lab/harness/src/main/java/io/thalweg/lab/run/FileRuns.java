// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thalweg.lab.LabException;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.FileJob;
import io.thalweg.lab.files.FileInput;
import io.thalweg.lab.files.FileInputs;
import io.thalweg.lab.result.RunResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs over files: each a process of its own, which is timed from its start to its end, and says itself how long the job in it
 * took. What it wrote is checked after each run, row by row. One thread uses it, but {@link #kill} may be called by any.
 */
final class FileRuns {
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /** The shell says how much CPU time its children took, to the last moment; {@code $0} is the file for it. */
    private static final String TIMED = "\"$@\"; status=$?; times > \"$0\"; exit $status";

    private static final Pattern CPU_TIME = Pattern.compile("(\\d+)m([\\d.,]+)s");

    private final WorkFolder work;
    private final Path home;
    private final String version;
    private final Consumer<String> say;
    private @Nullable FileInputs inputs;

    /** Of what engines are given as source text, at the first run of it: later ones must be of the same program. */
    private final Map<Path, String> programs = new HashMap<>();

    private volatile @Nullable Process current;

    /** @param version of Thalweg, for engines that have none of their own */
    FileRuns(WorkFolder work, Path home, String version, Consumer<String> say) {
        this.work = work;
        this.home = home;
        this.version = version;
        this.say = say;
    }

    CellRun.Outcome run(Engine engine, Cell cell, int turn, CellRuns runs) throws IOException {
        FileInputs made = inputs;
        if (made == null) {
            made = new FileInputs(work.newFolder(), home, say);
            inputs = made;
        }
        FileInput input = made.of(cell.fileJob(), cell.records());
        Path folder = work.newFolder();
        try {
            if (!cell.warmCache()) {
                PageCache.drop(input.path());
            }
            return new Run(engine, cell, input, folder).outcome(turn, runs);
        } catch (PageCache.NotDroppedException e) {
            return new CellRun.Outcome(null, e.getMessage(), Measured.NOTHING);
        } finally {
            work.tryDelete(folder);
        }
    }

    /** Thalweg's launcher builds nothing meanwhile, takes the lab's Java, and none of the options that are for the lab's own JVM. */
    static void isolate(Map<String, String> environment) {
        environment.keySet().removeAll(Set.of("THALWEG_OPTS", "THALWEG_WITH"));
        environment.put("THALWEG_BUILT", "1");
        environment.put("JAVA_HOME", System.getProperty("java.home"));
    }

    private void checkPrograms(List<String> command) throws IOException {
        for (String word : command) {
            if (word.endsWith(".java") || word.endsWith(".py")) {
                String now = Engine.sha256(Path.of(word));
                if (!now.equals(programs.computeIfAbsent(Path.of(word), first -> now))) {
                    throw new LabException(
                            Path.of(word).getFileName() + " has changed since this call of the lab began");
                }
            }
        }
    }

    /** At once. Any thread may call. */
    void kill() {
        Process running = current;
        if (running != null) {
            List<ProcessHandle> all = new ArrayList<>(running.descendants().toList());
            running.destroyForcibly();
            all.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private final class Run {
        private final FileInput input;
        private final Path output;
        private final Path times;
        private final Path cpuTimes;
        private final Path log;
        private final ProcessBuilder builder;

        Run(Engine engine, Cell cell, FileInput input, Path folder) throws IOException {
            this.input = input;
            output = folder.resolve("out.csv");
            times = folder.resolve("times.json");
            cpuTimes = folder.resolve("cpu-times");
            log = folder.resolve("log");
            String job = cell.value("job");
            List<String> command = new ArrayList<>(List.of("sh", "-c", TIMED, cpuTimes.toString()));
            command.addAll(engine.fileCommand(Map.of(
                    "job",
                    job,
                    "Job",
                    className(cell.fileJob()),
                    "input",
                    input.path().toString(),
                    "output",
                    output.toString(),
                    "threads",
                    Long.toString(cell.number("threads")),
                    "times",
                    times.toString())));
            checkPrograms(command);
            builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile());
            isolate(builder.environment());
        }

        private static String className(FileJob job) {
            return Stream.of(job.name().split("_"))
                    .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining());
        }

        CellRun.Outcome outcome(int turn, CellRuns runs) throws IOException {
            long startNs = System.nanoTime();
            Process process = builder.start();
            current = process;
            process.getOutputStream().close();
            try {
                if (!process.waitFor(LONGEST.toMinutes(), TimeUnit.MINUTES)) {
                    return CellRun.Outcome.failed(turn, "it did not end in " + LONGEST.toMinutes() + " minutes");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            } finally {
                kill();
                current = null;
            }
            double wholeS = (System.nanoTime() - startNs) / 1e9;
            if (process.exitValue() != 0) {
                return CellRun.Outcome.failed(turn, "it ended with " + process.exitValue() + lastWords());
            }
            if (!Files.exists(times)) {
                return CellRun.Outcome.failed(turn, "it did not say how long its job took" + lastWords());
            }
            JsonNode own;
            JsonNode elapsedNs;
            try {
                JsonNode said = new ObjectMapper().readTree(times.toFile());
                own = said.get("version");
                elapsedNs = said.get("elapsedNs");
            } catch (JsonProcessingException e) {
                own = null;
                elapsedNs = null;
            }
            if (elapsedNs == null) {
                String instead = Files.readString(times).strip();
                return CellRun.Outcome.failed(turn, "it did not say how long its job took, but '" + instead + "'");
            }
            runs.setEngineVersion(own == null ? version : own.asText());
            return checked(turn, wholeS, elapsedNs.asLong() / 1e9);
        }

        private CellRun.Outcome checked(int turn, double wholeS, double jobS) throws IOException {
            FileInput.Found found = Files.exists(output) ? input.check(output) : new FileInput.Found(0, "no output");
            String problem = found.problem();
            if (problem == null && (jobS <= 0 || jobS > wholeS)) {
                problem = "it says that its job took " + jobS + " s of " + wholeS + " s";
            }
            double rate = input.records() / jobS;
            double cpuSPerMillion = cpuS() / input.records() * 1e6;
            RunResult result = new RunResult(
                    turn,
                    problem == null ? rate : null,
                    null,
                    problem,
                    wholeS - jobS,
                    jobS,
                    true,
                    null,
                    input.records(),
                    found.rows(),
                    0,
                    cpuSPerMillion,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    List.of());
            return new CellRun.Outcome(
                    result, null, new Measured(rate, null, cpuSPerMillion, null, 0, 0, null, List.of(), List.of()));
        }

        /** Of the shell, and of what it started. */
        private double cpuS() throws IOException {
            double seconds = 0;
            Matcher each = CPU_TIME.matcher(Files.readString(cpuTimes));
            while (each.find()) {
                seconds += 60 * Double.parseDouble(each.group(1))
                        + Double.parseDouble(each.group(2).replace(',', '.'));
            }
            return seconds;
        }

        private String lastWords() throws IOException {
            return Arrays.stream(
                            Files.readString(log, StandardCharsets.ISO_8859_1).split("\n"))
                    .filter(line -> !line.isBlank() && !line.startsWith("\tat ") && !line.startsWith("\t..."))
                    .reduce((before, line) -> line)
                    .map(line -> ": " + line.strip())
                    .orElse("");
        }
    }
}
