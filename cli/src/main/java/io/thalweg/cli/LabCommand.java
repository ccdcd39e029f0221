// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.cli.report.Report;
import io.thalweg.lab.LabException;
import io.thalweg.lab.compare.Comparison;
import io.thalweg.lab.report.HtmlReport;
import io.thalweg.lab.report.TextReport;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.ResultFiles;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.run.JobJars;
import io.thalweg.lab.run.LabRun;
import io.thalweg.lab.run.SelfTest;
import io.thalweg.lab.study.Studies;
import io.thalweg.lab.study.Study;
import io.thalweg.run.LockedFile;
import io.thalweg.run.PlainText;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code thalweg lab}: published studies, reproduced on this machine, and what came of them. */
@Command(
        name = "lab",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = "Runs published benchmark studies on several stream processors, side by side.",
        synopsisSubcommandLabel = "COMMAND")
final class LabCommand implements Runnable {
    private static final int COLUMNS = 140;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        Objects.requireNonNull(spec).commandLine().usage(System.out);
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists the studies, their cases and engines.")
    int list() {
        for (Study study : Studies.all()) {
            System.out.println(study.name() + ": " + study.title());
            System.out.println("  engines: " + String.join(", ", study.engines().keySet()));
            for (Study.Case each : study.cases()) {
                StringBuilder line = new StringBuilder("  " + each.name() + ": " + each.title());
                each.sweep()
                        .forEach((setting, values) ->
                                line.append(" (" + setting + " " + String.join(", ", values) + ")"));
                System.out.println(line);
            }
        }
        return ExitCodes.DONE;
    }

    @Command(
            name = "run",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Runs studies, or single cases of them, and reports the results.",
            footer = {
                "",
                "The report goes to standard output, progress to standard error.",
                "Exit codes: 0 every cell has a figure or a reason for none, 1 a cell failed, 2 the command line is wrong."
            })
    int runStudies(
            @Parameters(
                            paramLabel = "STUDY[.CASE]",
                            arity = "1..*",
                            description = "such as storm-2012.e, or FILE.yaml for your own")
                    List<String> studies,
            @Option(
                            names = "--engines",
                            split = ",",
                            paramLabel = "NAME",
                            description = "only these engines; default: all that a study names")
                    @Nullable List<String> engines,
            @Option(names = "--quick", description = "short runs: rougher figures, sooner") boolean quick,
            @Option(
                            names = "--seconds",
                            paramLabel = "N",
                            description = "length of the measured part of each run; default: 10, quick 3")
                    int seconds,
            @Option(
                            names = "--runs",
                            paramLabel = "N",
                            description = "runs of each cell, interleaved; default: 5, quick 3")
                    int runs,
            @Option(
                            names = "--json",
                            paramLabel = "FILE",
                            converter = FileOption.class,
                            description = "also write all results as JSON, after each case those so far")
                    @Nullable Path json,
            @Option(
                            names = "--resume",
                            description =
                                    "go on with the results in the --json file, from the first case that it lacks; the rest of the command line is the same")
                    boolean resume,
            @Option(
                            names = "--html",
                            paramLabel = "FILE",
                            converter = FileOption.class,
                            description = "also write the report with its charts")
                    @Nullable Path html,
            @Option(
                            names = "--profile",
                            paramLabel = "DIR",
                            description =
                                    "keep a recording of the JDK Flight Recorder and flame graphs of each run there; such runs enter no ratio")
                    @Nullable Path profile,
            @Option(names = "--debug", description = "print a stack trace if the lab itself fails") boolean debug) {
        PrintStream progress = Report.standardError();
        try {
            if (seconds < 0 || runs < 0) {
                throw new UsageException("--seconds and --runs must be at least 1");
            }
            if (resume && json == null) {
                throw new UsageException("--resume needs --json FILE, the results to go on with");
            }
            checkPlace("--json", json);
            checkPlace("--html", html);
            if (json != null && ResultFiles.canBeReplaced(json) && !Files.isWritable(folder(json))) {
                throw new UsageException("--json " + json + " is replaced after each case, and its directory cannot be"
                        + " written to: permission denied");
            }
            if (json != null && html != null && same(json, html)) {
                throw new UsageException("--json and --html name the same file, " + html + "; name two");
            }
            List<Studies.Selection> selections = find(studies);
            try (ResultsAlone own = ResultsAlone.of(json, resume);
                    LabRun lab = new LabRun(home(), version(), line -> progress.println(PlainText.line(line)))) {
                lab.with(partsOnClassPath());
                Runtime.getRuntime().addShutdownHook(new Thread(lab::kill, "killer"));
                for (String each : engines == null ? List.<String>of() : engines) {
                    if (!lab.engines().contains(each)) {
                        throw new UsageException(
                                "no engine '" + each + "'; there are " + String.join(", ", lab.engines()));
                    }
                }
                Results results = lab.run(
                        new LabRun.Wish(
                                selections, engines == null ? List.of() : engines, quick, seconds, runs, profile),
                        own.before(),
                        soFar -> keep(soFar, json));
                print(TextReport.of(results, COLUMNS));
                write(results, json, html);
                return results.cells().stream().anyMatch(LabCommand::failed) ? ExitCodes.FAILED : ExitCodes.DONE;
            }
        } catch (LabException | UsageException | IOException e) {
            return failure(e, debug);
        }
    }

    /**
     * A file of results that no other call replaces meanwhile: after each case it would have those of one of them alone.
     *
     * @param before what it holds, to go on with; null if the call does not
     */
    private record ResultsAlone(
            @Nullable Results before,
            @Nullable Path name,
            @Nullable LockedFile lock) implements AutoCloseable {
        static ResultsAlone of(@Nullable Path json, boolean resume) throws IOException {
            if (json == null || !ResultFiles.canBeReplaced(json)) {
                return new ResultsAlone(json != null && resume ? ResultFiles.read(json) : null, null, null);
            }
            Path real = Files.exists(json) ? json.toRealPath() : json;
            Path name = real.resolveSibling("." + real.getFileName() + ".lock");
            LockedFile lock = LockedFile.tryLock(name);
            if (lock == null) {
                throw new LabException("--json " + json + " is written by another call of the lab that has not ended;"
                        + " name another file, or wait for it");
            }
            boolean begins = false;
            try {
                ResultsAlone made = new ResultsAlone(resume ? ResultFiles.read(json) : null, name, lock);
                begins = true;
                return made;
            } finally {
                if (!begins) {
                    giveUp(name, lock);
                }
            }
        }

        private static void giveUp(Path name, LockedFile lock) throws IOException {
            Files.deleteIfExists(name);
            lock.close();
        }

        @Override
        public void close() throws IOException {
            if (name != null && lock != null) {
                giveUp(name, lock);
            }
        }
    }

    /** Hours before it is written. */
    private static void checkPlace(String option, @Nullable Path file) {
        if (file != null && Files.isDirectory(file)) {
            throw new UsageException(option + " " + file + " is a directory; name a file in it");
        }
        if (file != null && !Files.isDirectory(file.resolveSibling(""))) {
            throw new UsageException(option + " " + file + ": there is no directory " + file.resolveSibling(""));
        }
        if (file != null && !Files.isWritable(Files.exists(file) ? file : file.resolveSibling(""))) {
            throw new UsageException(option + " " + file + ": permission denied");
        }
    }

    /** Where a file is replaced, which may be a link. */
    private static Path folder(Path file) throws IOException {
        return (Files.exists(file) ? file.toRealPath() : file).resolveSibling("");
    }

    private static boolean same(Path one, Path other) throws IOException {
        return one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize())
                || (Files.exists(one) && Files.exists(other) && Files.isSameFile(one, other));
    }

    static void keep(Results soFar, @Nullable Path json) {
        if (json != null && ResultFiles.canBeReplaced(json)) {
            try {
                ResultFiles.write(shown(soFar), json);
            } catch (IOException e) {
                throw new LabException("the results so far could not be written: " + Failures.oneLine(e), e);
            }
        }
    }

    /** Settings are in it, but for secrets: it is made to be kept and shown. */
    static Results shown(Results results) {
        return results.withSettings(Secrets::without);
    }

    /** Runs that gave no figure, where a refusal would have been no run at all. */
    private static boolean failed(CellResult cell) {
        return cell.recordsPerS() == null && !cell.runs().isEmpty();
    }

    @Command(
            name = "compare",
            mixinStandardHelpOptions = true,
            description = "Tests whether the cells of B are slower than those of A, with confidence intervals.",
            footer = {
                "",
                "Exit codes: 0 no regression, 1 a regression, nothing that could be compared, or a file that cannot be read,",
                "2 the command line is wrong."
            })
    int compare(
            @Parameters(paramLabel = "A.json") Path a,
            @Parameters(paramLabel = "B.json") Path b,
            @Option(names = "--debug", description = "print a stack trace if the lab itself fails") boolean debug) {
        try {
            Comparison comparison = Comparison.of(ResultFiles.read(a), ResultFiles.read(b));
            print(comparison.toText(COLUMNS));
            return comparison.exitCode();
        } catch (IOException e) {
            return failure(e, debug);
        } catch (OutOfMemoryError e) {
            return Failures.report(e, debug);
        }
    }

    @Command(
            name = "report",
            mixinStandardHelpOptions = true,
            description = "Prints the report of saved results again, or of several runs of the lab together.")
    int report(
            @Parameters(paramLabel = "FILE.json", arity = "1..*", description = "as written by --json; .json.gz, too")
                    List<Path> files,
            @Option(
                            names = "--html",
                            paramLabel = "FILE",
                            converter = FileOption.class,
                            description = "write the report with its charts; to a directory, a page for each FILE.json")
                    @Nullable Path html,
            @Option(names = "--debug", description = "print a stack trace if the lab itself fails") boolean debug) {
        try {
            Map<Path, Results> all = new LinkedHashMap<>();
            for (Path file : files) {
                all.put(file, Studies.explained(ResultFiles.read(file)));
            }
            for (Path file : files) {
                if (html != null && same(file, html)) {
                    throw new UsageException("--html " + html + " would replace the results; name another file");
                }
            }
            Results merged = Results.merged(List.copyOf(all.values()));
            print(TextReport.of(merged, COLUMNS));
            if (html != null && Files.isDirectory(html)) {
                writePages(all, html);
            } else {
                write(merged, null, html);
            }
            return ExitCodes.DONE;
        } catch (UsageException | IOException e) {
            return failure(e, debug);
        } catch (OutOfMemoryError e) {
            return Failures.report(e, debug);
        }
    }

    /** Texts of results may be anybody's. */
    private static void print(String report) {
        System.out.print(PlainText.lines(report));
    }

    @Command(
            name = "selftest",
            mixinStandardHelpOptions = true,
            description =
                    "Checks that the lab detects planted faults, and reports none if there are none; takes about five minutes.")
    int selfTest(
            @Option(names = "--debug", description = "print a stack trace if the lab itself fails") boolean debug) {
        PrintStream progress = Report.standardError();
        try (LabRun lab = new LabRun(home(), version(), line -> progress.println(PlainText.line(line)))) {
            Runtime.getRuntime().addShutdownHook(new Thread(lab::kill, "killer"));
            return SelfTest.run(lab, System.out::println) ? ExitCodes.DONE : ExitCodes.FAILED;
        } catch (LabException e) {
            return failure(e, debug);
        }
    }

    private static List<Studies.Selection> find(List<String> names) {
        try {
            return names.stream().map(Studies::find).toList();
        } catch (LabException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private static void write(Results results, @Nullable Path json, @Nullable Path html) throws IOException {
        if (json != null) {
            ResultFiles.write(shown(results), json);
        }
        if (html != null) {
            writePage(results, html);
        }
    }

    private static void writePage(Results results, Path file) throws IOException {
        String page = HtmlReport.of(shown(results));
        try {
            Files.writeString(file, page);
        } catch (IOException e) {
            throw ResultFiles.unwritable(file, e);
        }
    }

    private static void writePages(Map<Path, Results> all, Path directory) throws IOException {
        Map<Path, Path> pages = new LinkedHashMap<>();
        for (Path file : all.keySet()) {
            String name = String.valueOf(file.getFileName()).replaceFirst("(\\.json)?(\\.gz)?$", "");
            Path same = pages.put(directory.resolve(name + ".html"), file);
            if (same != null) {
                throw new UsageException(same + " and " + file + " would be the same page; rename one of them");
            }
        }
        for (Map.Entry<Path, Path> page : pages.entrySet()) {
            writePage(Objects.requireNonNull(all.get(page.getValue())), page.getKey());
        }
    }

    private static int failure(Exception e, boolean debug) {
        PrintStream error = Report.standardError();
        error.println("thalweg: " + Failures.oneLine(e));
        if (debug) {
            e.printStackTrace(error);
        }
        return e instanceof UsageException ? ExitCodes.USAGE : ExitCodes.FAILED;
    }

    private static Path home() {
        return home("thalweg lab");
    }

    /** @param command of whoever asks */
    static Path home(String command) {
        String home = System.getProperty("thalweg.home");
        if (home == null) {
            throw new LabException("the lab builds its drivers from Thalweg's source tree: run it by ./" + command);
        }
        return Path.of(home);
    }

    /** What the launcher added for what a job names, such as Kafka, behind the jars of the command line itself. */
    static JobJars partsOnClassPath() {
        List<Path> jars = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(each -> each.toString().endsWith(".jar"))
                .toList();
        if (jars.isEmpty()) {
            return JobJars.NONE;
        }
        Path own = jars.get(0).resolveSibling("");
        Map<Boolean, List<Path>> byOwner = jars.stream()
                .collect(Collectors.partitioningBy(
                        each -> each.resolveSibling("").equals(own)));
        List<Path> parts = byOwner.getOrDefault(false, List.of());
        return parts.isEmpty() ? JobJars.NONE : new JobJars(parts, byOwner.getOrDefault(true, List.of()));
    }

    static String version() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "(not from a jar)" : version;
    }
}
