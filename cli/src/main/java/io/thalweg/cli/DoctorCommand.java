// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Suggestion;
import io.thalweg.cli.report.Report;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.ObservationFile;
import io.thalweg.doctor.flink.FlinkAddress;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.whatif.Changes;
import io.thalweg.files.input.ByteInput;
import io.thalweg.run.PlainText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** {@code thalweg doctor JOB}: runs a job for a while, and says what limits it and what would help. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Runs a job for a while, stops it, and says what limits it and what would help.",
            "Given a file that --json wrote, judges what was observed then.",
            "Given flink=HOST:PORT, the REST port of a Flink cluster, watches the job that runs there and changes nothing;",
            "flink=HOST:PORT/JOB names one of several, by its name or id.",
            "Given kafka=HOST:PORT/GROUP, watches how far a consumer group is behind, and changes nothing;",
            "--set kafka.NAME=VALUE sets what Kafka's client needs, and --set kafka.settings=FILE reads it from a file.",
            "Given storm=HOST:PORT/TOPOLOGY, the Nimbus of a Storm cluster, watches a topology and changes nothing;",
            "--set NAME=VALUE sets what Storm's client needs."
        },
        footer = {
            "",
            "A JOB is really run: its sinks write. What the doctor says goes to standard output, behind the job's results.",
            "Exit codes: 0 done, 1 the job failed or there was nothing to judge, 2 the command line or JOB is wrong,",
            "129 the terminal was closed, 130 Ctrl-C, 143 SIGTERM."
        })
final class DoctorCommand extends JobCommand {
    private static final String STDIN = "-";

    /** What applies to a file as well as to a job. */
    private static final List<String> FOR_FILES = List.of("--json", "--html", "--debug", "--what-if");

    /** What applies to a job that runs elsewhere. */
    private static final List<String> FOR_CLUSTERS = List.of("--json", "--html", "--debug", "--for", "--what-if");

    /** What applies to what is watched with a client of its own. */
    private static final List<String> FOR_OTHERS = List.of("--json", "--html", "--debug", "--for", "--set");

    /** {@code kafka=} and the like; a file of such a name needs {@code ./} before it. */
    private static final Pattern ELSEWHERE = Pattern.compile("([a-z]+)=(.*)");

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "how long the job runs, or is watched, at most, such as 30s or 5m; default: ${DEFAULT-VALUE}")
    private String atMost = "30s";

    @Option(
            names = "--what-if",
            paramLabel = "NAME=VALUE,…",
            description =
                    "also predicts throughput and latency with other settings, such as parse=4,queue=256,fuse=off: an"
                            + " operator with its number of tasks, parallelism, threads, cores, queue, batch, fuse, max-pending, rate")
    private @Nullable String whatIf;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "also writes the diagnosis as a page that needs nothing else; - for stdout")
    private @Nullable String html;

    DoctorCommand(Runners roads) {
        super(roads);
    }

    @Override
    public Integer call() {
        String given = job();
        boolean flink = given.startsWith(FlinkAddress.PREFIX);
        Matcher elsewhere = ELSEWHERE.matcher(given);
        boolean other = !flink && elsewhere.matches();
        if (!flink && !other && !given.equals(STDIN) && !given.endsWith(".json")) {
            return super.call();
        }
        try {
            return flink ? watch(given) : other ? watch(elsewhere.group(1), elsewhere.group(2)) : judge(given);
        } catch (InterruptedException | RuntimeException e) {
            return Failures.report(e, debug());
        }
    }

    private int watch(String given) throws InterruptedException {
        refuseAllBut(FOR_CLUSTERS, "a job of this process", "a job of a cluster");
        FlinkAddress address;
        try {
            address = FlinkAddress.of(given);
        } catch (IllegalArgumentException e) {
            throw new UsageException(Failures.oneLine(e));
        }
        List<DiagnosisOutput> outputs = outputs();
        tell(FlinkExamination.of(address, GuaranteeOptions.time("--for", atMost), changes()), outputs);
        return ExitCodes.DONE;
    }

    private int watch(String name, String address) throws InterruptedException {
        ObserverProvider observer = observer(name);
        refuseAllBut(FOR_OTHERS, "a job", observer.name() + "=" + observer.address());
        List<DiagnosisOutput> outputs = outputs();
        Duration atMostFor = GuaranteeOptions.time("--for", atMost);
        tell(Judgement.of(observer.observe(address, settings(), atMostFor), null), outputs);
        return ExitCodes.DONE;
    }

    private static ObserverProvider observer(String name) {
        for (ObserverProvider each : ServiceLoader.load(ObserverProvider.class, DoctorCommand.class.getClassLoader())) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        for (Part part : Part.all()) {
            if (part.said("doctor").equals(name)) {
                throw new UsageException("thalweg doctor " + name + "=… needs thalweg-" + part.name()
                        + " and its dependencies on the class path; ./thalweg adds them");
            }
        }
        List<String> names = watched();
        throw new UsageException("the doctor watches " + String.join("=…, ", names) + "=…, or a job, and not " + name
                + "=…" + Suggestion.of(name, names));
    }

    /** What the doctor watches that runs elsewhere: {@code flink}, {@code storm}. */
    static List<String> watched() {
        List<String> names = new ArrayList<>(List.of("flink"));
        for (ObserverProvider each : ServiceLoader.load(ObserverProvider.class, DoctorCommand.class.getClassLoader())) {
            names.add(each.name());
        }
        Part.all().forEach(part -> names.add(part.said("doctor")));
        names.removeIf(String::isEmpty);
        return names.stream().distinct().toList();
    }

    private void refuseAllBut(List<String> allowed, String what, String is) {
        for (OptionSpec option : spec().commandLine().getParseResult().matchedOptions()) {
            if (!allowed.contains(option.longestName())) {
                throw new UsageException(option.longestName() + " is for " + what + ", and " + job() + " is " + is);
            }
        }
    }

    private @Nullable Changes changes() {
        try {
            return whatIf == null ? null : Changes.parse(whatIf);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--what-if: " + e.getMessage());
        }
    }

    private int judge(String file) {
        refuseAllBut(FOR_FILES, "a job", "an observation");
        Changes changes = changes();
        List<DiagnosisOutput> outputs = outputs();
        if (!file.equals(STDIN) && (!Files.exists(file()) || Files.isDirectory(file()))) { // a pipe may be read
            throw new UsageException(
                    Files.exists(file()) ? file + " is a directory, and no observation" : "there is no file " + file);
        }
        String name = file.equals(STDIN) ? "standard input" : file;
        byte[] text = read(file, name);
        Judgement judged;
        try {
            Observation observation = ObservationFile.read(text);
            Examination.check(changes, observation.plan());
            judged = Judgement.of(observation, changes);
        } catch (IOException | IllegalArgumentException e) {
            throw new ConnectorException(name + " cannot be judged: " + Failures.oneLine(e), e);
        }
        tell(judged, outputs);
        return ExitCodes.DONE;
    }

    private byte[] read(String file, String name) {
        try {
            return file.equals(STDIN) ? System.in.readAllBytes() : Files.readAllBytes(file());
        } catch (IOException e) {
            throw new ConnectorException(name + " cannot be read: " + ByteInput.reason(e), e);
        }
    }

    private List<DiagnosisOutput> outputs() {
        List<DiagnosisOutput> outputs = new ArrayList<>();
        DiagnosisOutput json = json();
        if (json != null) {
            outputs.add(json);
        }
        if (html != null) {
            outputs.add(page(html));
        }
        return outputs;
    }

    private static void tell(Judgement judged, List<DiagnosisOutput> outputs) {
        PrintStream people = people(outputs);
        people.print(PlainText.lines(DiagnosisText.of(judged.diagnosis())));
        people.flush();
        outputs.forEach(output -> output.write(judged.diagnosis()));
        judged.sayWhatIsMissing();
    }

    private static PrintStream people(List<DiagnosisOutput> outputs) {
        return isStandardOutput(outputs)
                ? Report.standardError()
                : new PrintStream(System.out, false, StandardCharsets.UTF_8);
    }

    private static boolean isStandardOutput(List<DiagnosisOutput> outputs) {
        return outputs.stream().anyMatch(DiagnosisOutput::isStandardOutput);
    }

    @Override
    Examination examination() {
        Duration time = GuaranteeOptions.time("--for", atMost);
        List<DiagnosisOutput> outputs = outputs();
        return new Examination(time, outputs, isStandardOutput(outputs) ? Report.standardError() : null, changes());
    }
}
