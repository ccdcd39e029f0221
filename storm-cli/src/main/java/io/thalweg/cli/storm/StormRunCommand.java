// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.cli.DiagnosisOutput;
import io.thalweg.cli.Durations;
import io.thalweg.cli.ExitCodes;
import io.thalweg.cli.ExitWatch;
import io.thalweg.cli.Failures;
import io.thalweg.cli.Main;
import io.thalweg.cli.Signals;
import io.thalweg.cli.UsageException;
import io.thalweg.run.Clock;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.PlainText;
import io.thalweg.run.RunSettings;
import io.thalweg.run.TemporaryFolder;
import io.thalweg.stormdoor.DrpcCalls;
import io.thalweg.stormdoor.StormDoor;
import io.thalweg.stormdoor.StormOptions;
import io.thalweg.stormdoor.StormRun;
import io.thalweg.stormlocal.StandIn;
import io.thalweg.stormlocal.Submissions;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.apache.storm.StormSubmitter;
import org.apache.storm.utils.DRPCClient;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code thalweg storm run JAR}: calls the main of a jar, or builds a topology of Flux, and runs the topologies that are submitted. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        usageHelpAutoWidth = true,
        description =
                "Runs the topologies that the main of a jar submits to Storm, one in Flux YAML, or one of streamparse, in this process, without a"
                        + " cluster; or on Flink.",
        footer = {
            "",
            "Exit codes: 0 they were killed, or --for is over, 1 one of them or main failed, 2 the command line is wrong,"
                    + " 129 the terminal was closed, 130 Ctrl-C, 143 SIGTERM."
        })
final class StormRunCommand implements Callable<Integer> {
    private static final Duration TICK = Duration.ofMillis(100);

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "JAR",
            description = "the topology's jar, as for storm jar; may be left out with --flux or --streamparse")
    private @Nullable Path jar;

    @Parameters(index = "1..*", paramLabel = "ARGS", description = "behind --: the arguments of main")
    private List<String> arguments = new ArrayList<>();

    @Option(
            names = "--class",
            paramLabel = "MAIN",
            description = "the class whose main submits the topology; default: the one that the jar names")
    private @Nullable String mainClass;

    @Mixin
    private FluxOptions flux = new FluxOptions();

    @Option(
            names = "--on",
            paramLabel = "embedded|flink[=HOST:PORT]",
            description =
                    "where topologies run; embedded: on this engine (default); flink: on Flink, those without acks, state and"
                            + " streams that lead back; HOST:PORT is the REST port of a cluster")
    private String on = Road.EMBEDDED;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "kills the topologies after that time, such as 60s; default: they run until Ctrl-C")
    private @Nullable String atMost;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            description = "when they are stopped, how long to wait for tuples that are not acked; default: 5s")
    private @Nullable String wait;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "KEY=VALUE",
            description = "an option of Storm's, such as topology.max.spout.pending=100; may be repeated")
    private List<String> options = new ArrayList<>();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description =
                    "N threads that all spouts and bolts share; default: each executor has its own. Faster where there are more"
                            + " executors than cores; no component may wait in a call for another one")
    private @Nullable Integer threads;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description =
                    "keeps the state of stateful bolts in a folder of the topology's name there, for the next run")
    private @Nullable Path state;

    @Option(
            names = "--doctor",
            description =
                    "when they have ended, says of each topology what limited it and what would help; not with --on flink")
    private boolean asksDoctor;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "with --doctor: writes what it says as JSON; - for stdout")
    private @Nullable String json;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "with --doctor: writes it as a page that needs nothing else; - for stdout")
    private @Nullable String html;

    @Option(names = "--debug", description = "prints errors with their stack trace")
    private boolean debug;

    private final Clock clock = Clock.system();
    private final CountDownLatch signalled = new CountDownLatch(1);
    private final AtomicInteger signal = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    private @Nullable TopologyDoctor doctor;

    /** Where the figures of components are printed. */
    private PrintStream tables = System.out;

    @Override
    public Integer call() {
        try {
            return run();
        } catch (Exception | Error e) {
            return Failures.report(e, debug);
        }
    }

    private int run() throws Exception {
        Duration limit = atMost == null ? null : Durations.of("--for", atMost);
        Duration grace = Durations.of("--wait", wait == null ? "5s" : wait);
        Road road = road();
        List<DiagnosisOutput> outputs = outputs();
        doctor = asksDoctor ? new TopologyDoctor(clock, outputs) : null;
        tables = outputs.stream().anyMatch(DiagnosisOutput::isStandardOutput) ? System.err : System.out;
        flux.check(mainClass, arguments);
        List<Path> jars = new ArrayList<>();
        if (jar != null || !flux.given()) {
            jars.add(checked(jar));
        }
        setOptions();
        if (road == null) {
            LogLines.use(); // a cluster has a logger of its own
        }
        checkOptions();
        flux.read();
        jars.addAll(flux.libraries(jar, StormRunCommand::tell));
        try (TemporaryFolder scratch = TemporaryFolder.make("thalweg-storm-code-");
                TopologyLoader loader = new TopologyLoader(jars)) {
            Path code = scratch.path();
            for (Path each : jars) {
                extract(each, code);
            }
            flux.addScripts(code.resolve("resources"));
            Program program = flux.given() ? flux.program(loader, jar) : main(jars.get(0), loader);
            // StormSubmitter uploads the jar, which is here already; it divides by its length.
            Path uploaded = Files.write(code.resolve(jars.get(0).getFileName()), new byte[1]);
            System.setProperty("storm.jar", uploaded.toString());
            Utils.setClassLoaderForJavaDeSerialize(loader);
            TopologyDoctor watches = doctor;
            ExecutorSamples samples = watches == null ? null : watches.begin(code.resolve("recordings"));
            Submissions submissions = Submissions.ofMain(new CommandHost(
                    loader, jars, code.resolve("resources"), road, grace, samples, StormRunCommand::tell));
            DrpcCalls calls = new DrpcCalls();
            NimbusClient.LocalOverride here = new NimbusClient.LocalOverride(StandIn.of(submissions));
            DRPCClient.LocalOverride server = new DRPCClient.LocalOverride(calls);
            ExitWatch exits = ExitWatch.begin(
                    () -> submissions.all().stream().anyMatch(each -> !each.killed() && !each.ended()),
                    "let main return: its topologies run on without it, as on a cluster",
                    StormRunCommand::tell);
            try {
                Signals.handle(this::onSignal);
                return untilEnd(submissions, program, loader, limit, grace);
            } finally {
                if (watches != null) {
                    watches.close();
                }
                exits.close();
                server.close();
                here.close();
                calls.close();
            }
        }
    }

    private @Nullable Road road() {
        boolean elsewhere = !on.equals(Road.EMBEDDED);
        if (elsewhere && state != null) {
            throw new UsageException("--state means nothing with --on " + on + ", where there are no stateful bolts");
        }
        if (elsewhere && threads != null) {
            throw new UsageException(
                    "--threads means nothing with --on " + on + ", where each task has a thread of its own");
        }
        if (threads != null && (threads < 1 || threads > RunSettings.MAX_THREADS)) {
            throw new UsageException("--threads must be from 1 to " + RunSettings.MAX_THREADS + ", not " + threads);
        }
        if (elsewhere && asksDoctor) {
            throw new UsageException("--doctor watches topologies that run in this process, and not with --on " + on
                    + "; thalweg doctor flink=HOST:PORT watches the job of a cluster");
        }
        if (elsewhere && wait != null) {
            throw new UsageException("--wait means nothing with --on " + on + ", where nothing is acked");
        }
        return Road.of(on);
    }

    /** Files that the doctor writes. */
    private List<DiagnosisOutput> outputs() {
        if (!asksDoctor && (json != null || html != null)) {
            throw new UsageException((json != null ? "--json" : "--html") + " is for --doctor");
        }
        List<DiagnosisOutput> outputs = new ArrayList<>();
        List<@Nullable String> others = new ArrayList<>(flux.files());
        others.add(jar == null ? null : jar.toString());
        if (json != null) {
            outputs.add(DiagnosisOutput.checked(json, others));
            others.add(json);
        }
        if (html != null) {
            outputs.add(DiagnosisOutput.page(html, others));
        }
        return outputs;
    }

    private static void tell(String line) {
        System.err.println("thalweg: " + PlainText.line(line));
    }

    private void onSignal(int number) {
        if (!signal.compareAndSet(0, number)) {
            Runtime.getRuntime().halt(ExitCodes.SIGNAL + number);
        }
        signalled.countDown();
    }

    // ---- what is asked for

    private static Path checked(@Nullable Path jar) {
        if (jar == null) {
            throw new UsageException("Missing required parameter: 'JAR', or --flux FILE, or --streamparse DIR");
        }
        Path file = jar.toAbsolutePath();
        if (!Files.exists(file)) {
            throw new UsageException("there is no file " + jar);
        }
        if (!Files.isRegularFile(file)) {
            throw new UsageException(jar + " is no jar: it is a folder, or something else that is no file");
        }
        return file;
    }

    static JarFile open(Path file) {
        try {
            return new JarFile(file.toFile());
        } catch (IOException e) {
            throw new UsageException(file.getFileName() + " is no jar: " + e.getMessage());
        }
    }

    /** As {@code storm -c} passes them to {@code StormSubmitter}. */
    private void setOptions() {
        List<String> encoded = new ArrayList<>();
        if (state != null) {
            encoded.add(URLEncoder.encode(
                    StormDoor.STATE_DIRECTORY + "=" + state.toAbsolutePath(), StandardCharsets.UTF_8));
        }
        if (threads != null) {
            encoded.add(URLEncoder.encode(StormDoor.SHARED_THREADS + "=" + threads, StandardCharsets.UTF_8));
        }
        for (String option : options) {
            if (option.indexOf('=') < 1) {
                throw new UsageException("--config takes KEY=VALUE, not " + option);
            }
            encoded.add(URLEncoder.encode(option, StandardCharsets.UTF_8));
        }
        System.setProperty("storm.options", String.join(",", encoded));
    }

    /** Storm would say of a main that its configuration is wrong. */
    private static void checkOptions() {
        String problem = StormOptions.problem(Utils.readCommandLineOpts());
        if (problem != null) {
            throw new UsageException("--config: " + problem);
        }
    }

    /** The scripts of multilang components are in {@code resources}; what a jar before this one had stays. */
    private static void extract(Path jar, Path code) throws IOException {
        Files.createDirectories(code.resolve("resources"));
        try (JarFile content = open(jar)) {
            for (Enumeration<JarEntry> entries = content.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                Path to = code.resolve(entry.getName()).normalize();
                if (entry.getName().startsWith("resources/")
                        && !entry.isDirectory()
                        && to.startsWith(code)
                        && !Files.exists(to)) {
                    Files.createDirectories(to.getParent());
                    try (InputStream in = content.getInputStream(entry)) {
                        Files.copy(in, to);
                    }
                }
            }
        }
    }

    private Program main(Path jar, ClassLoader loader) throws IOException {
        String name = mainClass;
        if (name == null) {
            try (JarFile content = open(jar)) {
                Manifest manifest = content.getManifest();
                name = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
            }
        }
        if (name == null) {
            throw new UsageException("the jar names no main class; add --class MAIN");
        }
        try {
            Method main = Class.forName(name, false, loader).getMethod("main", String[].class);
            if (!Modifier.isStatic(main.getModifiers())) {
                throw new UsageException("main of class " + name + " is not static");
            }
            main.setAccessible(true);
            return new Program("main of " + name, () -> call(main));
        } catch (ClassNotFoundException e) {
            throw new UsageException("there is no class " + name + " in the jar"
                    + (name.indexOf('.') < 0 ? "; name it with its package" : ""));
        } catch (NoSuchMethodException e) {
            throw new UsageException("class " + name + " has no public main(String[])");
        } catch (LinkageError e) {
            throw new UsageException("class " + name + " cannot be loaded: " + e);
        }
    }

    private void call(Method main) throws Exception {
        try {
            main.invoke(null, (Object) arguments.toArray(String[]::new));
        } catch (InvocationTargetException e) {
            thrown.set(e.getCause() == null ? e : e.getCause());
        }
    }

    // ---- the run

    /** What submits topologies. */
    record Program(String name, Body body) {
        /** It runs in a thread of its own. */
        interface Body {
            void submit() throws Exception;
        }
    }

    private int untilEnd(
            Submissions submissions, Program program, ClassLoader loader, @Nullable Duration limit, Duration grace)
            throws InterruptedException {
        Thread caller = new Thread(() -> submit(program), program.name());
        caller.setContextClassLoader(loader);
        caller.setDaemon(true);
        caller.start();
        Submissions.Submitted failed = watch(submissions, caller, limit);
        TopologyDoctor watches = doctor;
        if (watches != null) {
            watches.end(submissions.all());
        }
        submissions.close();
        // later, main may fail because its topologies have ended
        Throwable problem = failed == null ? thrown.get() : null;
        List<Submissions.Submitted> all = submissions.all();
        if (failed != null) { // of several failures, that which ended all is told first
            all.remove(failed);
            all.add(0, failed);
        }
        List<RuntimeException> problems = new ArrayList<>();
        boolean complete = stop(all, failed == null ? grace : Duration.ZERO, problems);
        submissions.all().forEach(Submissions.Submitted::close);
        submissions
                .all()
                .forEach(each -> ComponentTable.lines(each.name(), each.run()).forEach(tables::println));
        if (watches != null) {
            complete &= watches.tell();
        }
        addProblem(problems, submissions, program, problem);
        if (!problems.isEmpty()) {
            return problems.stream()
                    .map(each -> Failures.report(each, debug))
                    .toList()
                    .get(0);
        }
        if (signal.get() != 0) {
            return ExitCodes.SIGNAL + signal.get();
        }
        return complete ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private void submit(Program program) {
        try {
            program.body().submit();
        } catch (Exception | Error e) {
            thrown.set(e);
        }
    }

    /**
     * Until main or a topology has failed, or all topologies have ended, or the time is over, or a signal came.
     *
     * @return the topology that has failed; null if none has
     */
    private Submissions.@Nullable Submitted watch(Submissions submissions, Thread main, @Nullable Duration limit)
            throws InterruptedException {
        long beganNs = 0;
        TopologyDoctor watches = doctor;
        while (signal.get() == 0 && thrown.get() == null) {
            List<Submissions.Submitted> runs = submissions.all();
            boolean mainEnded = !main.isAlive();
            submissions.settle();
            if (watches != null) {
                watches.look(runs);
            }
            if (!runs.isEmpty() && beganNs == 0) {
                beganNs = clock.nowNs();
            }
            if (limit != null && beganNs != 0 && clock.nowNs() - beganNs > limit.toNanos()) {
                return null;
            }
            boolean allEnded = true;
            for (Submissions.Submitted each : runs) {
                try {
                    allEnded &= each.run().await(Duration.ZERO);
                } catch (JobFailedException e) {
                    return each;
                }
            }
            if (allEnded && mainEnded && submissions.all().size() == runs.size()) {
                return null;
            }
            if (signalled.await(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
                return null;
            }
        }
        return null;
    }

    /**
     * Stops all, also if one fails; false if something was left.
     *
     * @param failures gets that of each topology that has failed, or fails meanwhile
     */
    private boolean stop(List<Submissions.Submitted> all, Duration grace, List<RuntimeException> failures)
            throws InterruptedException {
        boolean complete = true;
        if (on.equals(Road.EMBEDDED)) {
            LogLines.end(); // a cluster's class path may have another SLF4J
        }
        all.forEach(each -> each.run().kill(grace));
        for (Submissions.Submitted each : all) {
            StormRun run = each.run();
            String topology = "topology '" + each.name() + "'";
            try {
                if (!run.stop(grace)) {
                    tell("a call of a spout or bolt of " + topology + " did not come back; it is left behind");
                    complete = false;
                }
            } catch (JobFailedException e) {
                String line = String.valueOf(e.getMessage());
                boolean named = all.size() == 1 || line.contains(topology);
                failures.add(named ? e : new JobFailedException(topology + ": " + line, e));
            } catch (RuntimeException e) { // a worker hook, as it is shut down
                failures.add(new JobFailedException(topology + ": " + PlainText.thrown(e), e));
            }
            if (run.pending() > 0) {
                tell("of " + topology + ", " + run.pending() + " tuples were neither acked nor failed");
            }
            run.unacked()
                    .forEach((component, tuples) -> tell("of " + topology + ", " + tuples
                            + " tuples were given up that '" + component + "' had neither acked nor failed"));
            if (run.dropped() > 0) {
                tell("of " + topology + ", " + run.dropped() + " tuples came too late and were dropped");
            }
        }
        return complete;
    }

    /**
     * What else went wrong: topologies that were not taken, or else what main threw.
     *
     * @param problem what it threw before its topologies were stopped
     */
    private void addProblem(
            List<RuntimeException> problems, Submissions submissions, Program program, @Nullable Throwable problem) {
        String name = program.name();
        List<RuntimeException> refused = submissions.failures();
        if (!refused.isEmpty()) {
            problems.addAll(refused);
        } else if (problem instanceof UsageException || problem instanceof JobFailedException) {
            problems.add((RuntimeException) problem);
        } else if (problem != null && isOfSubmission(problem)) {
            problems.add(new UsageException(
                    name + " cannot submit its topology: " + StormOptions.said(String.valueOf(problem.getMessage()))));
        } else if (problem instanceof LinkageError) {
            problems.add(new UsageException(
                    name + " does not fit Storm 2.8, of which the client is here, and a LocalCluster that"
                            + " takes topologies: " + problem));
        } else if (problem != null) {
            problems.add(new JobFailedException(name + " threw " + problem, problem));
        } else if (submissions.all().isEmpty() && signal.get() == 0) {
            problems.add(new UsageException(name + " has submitted no topology"
                    + (arguments.isEmpty() ? "; it may want arguments, behind --" : "")));
        }
    }

    /** Whether it was thrown where Storm's client checks the configuration of a topology. */
    private static boolean isOfSubmission(Throwable thrown) {
        return Stream.of(thrown.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(StormSubmitter.class.getName())
                        && frame.getMethodName().equals("validateConfs"));
    }
}
