// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.LabException;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Check;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Machine;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.RunResult;
import io.thalweg.lab.result.SecretSettings;
import io.thalweg.lab.result.StudyText;
import io.thalweg.lab.sample.Sampler;
import io.thalweg.lab.study.Studies;
import io.thalweg.lab.study.Study.Planned;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs the cells of studies. Cells of one case take turns, in another order each round, A B C, C A B, so that what the machine does
 * besides, and what the one before left, falls on all of them alike. What runs in one JVM gets a fresh one for each run; clusters and brokers stay up from cell to cell. A cell that
 * fails does not keep the others from running. One thread uses it, but {@link #kill} may be called by any.
 */
public final class LabRun implements AutoCloseable {
    private static final Duration TO_FILL_A_TOPIC = Duration.ofMinutes(5);

    /** So long a process reads a topic before it is timed, at least. */
    private static final Duration TOPIC_WARM_UP = Duration.ofSeconds(6);

    /**
     * What to run and how.
     *
     * @param engines none for all that a study names
     * @param seconds of the measured part; 0 for 10, or 3 in a quick run
     * @param runs of each cell; 0 for 5, or 3 in a quick run
     * @param profiles the folder in which what is recorded of each run is kept; null to record nothing
     */
    public record Wish(
            List<Studies.Selection> studies,
            List<String> engines,
            boolean quick,
            int seconds,
            int runs,
            @Nullable Path profiles) {
        /** Without profiles. */
        public Wish(List<Studies.Selection> studies, List<String> engines, boolean quick, int seconds, int runs) {
            this(studies, engines, quick, seconds, runs, null);
        }

        Timing timing() {
            Timing usual = quick ? Timing.QUICK : Timing.of(seconds == 0 ? 10 : seconds);
            return seconds == 0
                    ? usual
                    : new Timing(
                            Duration.ofSeconds(seconds),
                            usual.warmUp(),
                            usual.warmUpAtMost(),
                            usual.startAtMost(),
                            usual.drainAtMost());
        }

        int turns() {
            return runs > 0 ? runs : quick ? 3 : 5;
        }

        /** All that two calls must have in common for one to go on with the results of the other. */
        String text() {
            String cases = studies.stream()
                    .flatMap(each ->
                            each.cases().stream().map(one -> each.study().name() + "." + one.name()))
                    .distinct()
                    .collect(Collectors.joining(" "));
            Duration part = timing().measure();
            return cases + " on " + (engines.isEmpty() ? "all engines" : String.join(",", engines))
                    + (quick ? ", quick, " : ", ") + turns() + " runs of " + part.toSeconds() + " s"
                    + (profiles == null ? "" : ", profiled");
        }
    }

    private final Map<String, Engine> engines;

    /** Null if they are built already, and nobody builds them. */
    private final @Nullable DriversLock drivers;

    private final WorkFolder work;
    private final String version;
    private final @Nullable String commit;
    private final Consumer<String> say;
    private final Map<String, String> unusable = new HashMap<>();
    private final Clusters clusters;
    private final FileRuns fileRuns;
    private final Map<String, Map<String, String>> topics = new HashMap<>();
    private volatile @Nullable DriverProcess current;
    private final Random random = new Random();
    private JobJars jobJars = JobJars.NONE;
    private JobFiles jobFiles = JobFiles.NONE;
    private @Nullable Profiles profiles;
    private int turn;

    /** From then on nothing that happens says anything of an engine. */
    private volatile boolean killed;

    /**
     * @param home Thalweg's source tree, with the drivers
     * @param version of Thalweg, for the report
     * @param say told what goes on, line by line
     */
    public LabRun(Path home, String version, Consumer<String> say) {
        this(Engine.all(home), home, new DriversLock(home), version, say, Sampler::availableBytes, Commit.of(home));
    }

    /** @param freeBytes how much memory of the machine is to be had */
    LabRun(Map<String, Engine> engines, String version, Consumer<String> say, LongSupplier freeBytes) {
        this(engines, Path.of(""), null, version, say, freeBytes, null);
    }

    private LabRun(
            Map<String, Engine> engines,
            Path home,
            @Nullable DriversLock drivers,
            String version,
            Consumer<String> say,
            LongSupplier freeBytes,
            @Nullable String commit) {
        this.commit = commit;
        this.drivers = drivers;
        this.engines = engines;
        this.version = version;
        this.say = say;
        work = WorkFolder.make();
        clusters = new Clusters(work, say, freeBytes);
        fileRuns = new FileRuns(work, home, version, say);
    }

    /** Adds jars to those of each engine, in JVMs that run users' own topologies: connectors that these use. */
    public void with(JobJars jars) {
        jobJars = jars;
    }

    /** The engines that run users' own topologies. */
    public List<String> enginesOfTopologies() {
        return engines.values().stream()
                .map(Engine::description)
                .filter(each -> each.topology() != null)
                .map(Engine.Description::engine)
                .toList();
    }

    /** The engines that have a driver. */
    public Set<String> engines() {
        return engines.keySet();
    }

    /** @throws LabException if nothing can be run at all */
    public Results run(Wish wish) {
        return run(wish, null, results -> {});
    }

    /**
     * Runs what a call before it had not come to.
     *
     * @param before what that call had measured; null to begin
     * @param soFar is told after each case what there is by now
     * @throws LabException if nothing can be run at all, or {@code before} is of another call, machine or commit
     */
    public Results run(Wish wish, @Nullable Results before, Consumer<Results> soFar) {
        return run(wish, wish.timing(), before, soFar);
    }

    Results run(Wish wish, Timing timing) {
        return run(wish, timing, null, results -> {});
    }

    private Results run(Wish wish, Timing timing, @Nullable Results before, Consumer<Results> soFar) {
        profiles = wish.profiles() == null ? null : Profiles.in(wish.profiles());
        List<List<Planned>> groups = plan(wish);
        jobFiles = JobFiles.of(groups);
        String asked = wish.text() + jobFiles.text();
        Map<List<String>, CellResult> measured = new HashMap<>();
        if (before != null) {
            before.cells().forEach(each -> measured.put(name(each), each));
        }
        prepare(groups.stream().filter(each -> !isMeasured(each, measured)).toList());
        Machine machine;
        try {
            machine = MachineProbe.machine(work.newFolder(), version, commit);
        } catch (IOException | UncheckedIOException e) {
            throw new LabException("the lab cannot write to " + work.path() + ": " + e.getMessage(), e);
        }
        if (before != null) {
            checkItGoesOn(before, asked, machine);
            groups.forEach(group -> group.forEach(each -> checkSameSettings(each, measured)));
            machine = before.machine();
            before.cells().forEach(cell -> cell.runs().forEach(run -> turn = Math.max(turn, run.turn())));
        }
        List<CellResult> cells = new ArrayList<>();
        List<Double> memory = new ArrayList<>(
                before == null ? List.of() : Objects.requireNonNullElse(before.memoryGbPerS(), List.<Double>of()));
        memory.add(MachineProbe.memoryGbPerS());
        Results results = results(machine, wish, asked, memory, cells);
        int done = 0;
        for (List<Planned> group : groups) {
            String place = ++done + "/" + groups.size();
            if (isMeasured(group, measured)) {
                group.forEach(each -> cells.add(Objects.requireNonNull(measured.get(name(each)))));
                say.accept(place + "  " + group.get(0).study().name() + "."
                        + group.get(0).caseName() + "  is measured");
            } else {
                cells.addAll(run(group, wish.turns(), timing, place));
                memory.add(MachineProbe.memoryGbPerS());
            }
            results = results(machine, wish, asked, memory, cells);
            if (results.memoryUneven()) {
                say.accept(results.memoryText());
            }
            soFar.accept(results);
        }
        return results;
    }

    /** What is named twice, as a case and with its study, is run once. */
    private List<List<Planned>> plan(Wish wish) {
        Set<List<Planned>> groups = new LinkedHashSet<>();
        try {
            wish.studies()
                    .forEach(study -> groups.addAll(study.plan(wish.engines(), this::usualVariant, wish.quick())));
            groups.forEach(group -> group.forEach(this::check));
        } catch (IllegalArgumentException e) {
            throw new LabException("a study cannot be run as it is: " + e.getMessage(), e);
        }
        groups.removeIf(List::isEmpty);
        if (groups.isEmpty()) {
            throw new LabException("there is nothing to run: " + nothing(wish));
        }
        Set<List<String>> names = new HashSet<>();
        groups.forEach(group -> group.forEach(each -> {
            if (!names.add(name(each))) {
                throw new LabException("there are two cells " + String.join(" ", name(each))
                        + ", and results could not say which is which: rename one of the studies, or of the cases");
            }
        }));
        return List.copyOf(groups);
    }

    /** @throws IllegalArgumentException if it can never be run as it is */
    private void check(Planned cell) {
        Engine engine = engines.get(cell.engine());
        if (engine != null) {
            engine.checkVariant(cell.variant());
        }
        Cell.of(cell.settings(), work.path()).check();
    }

    private static String nothing(Wish wish) {
        Set<String> named = new TreeSet<>();
        wish.studies().forEach(each -> named.addAll(each.study().engines().keySet()));
        return Collections.disjoint(named, wish.engines()) && !wish.engines().isEmpty()
                ? "no case of these studies is for " + String.join(", ", wish.engines()) + ", but for "
                        + String.join(", ", named)
                : "a quick run leaves out all of these cases; name one as STUDY.CASE, or leave out --quick";
    }

    private static Results results(
            Machine machine, Wish wish, String asked, List<Double> memory, List<CellResult> cells) {
        return new Results(Results.SCHEMA, machine, asked, List.copyOf(memory), texts(wish, cells), List.copyOf(cells));
    }

    private static List<StudyText> texts(Wish wish, List<CellResult> cells) {
        return wish.studies().stream()
                .map(each -> each.study().text(cells))
                .distinct()
                .toList();
    }

    private static boolean isMeasured(List<Planned> group, Map<List<String>, CellResult> measured) {
        return group.stream().allMatch(each -> measured.containsKey(name(each)));
    }

    private static List<String> name(Planned cell) {
        return List.of(cell.study().name(), cell.caseName(), cell.engine(), cell.variant());
    }

    private static List<String> name(CellResult cell) {
        return List.of(cell.study(), cell.caseName(), cell.engine(), cell.variant());
    }

    /** Figures of two calls beside each other would be compared as if they were of one. */
    private static void checkItGoesOn(Results before, String asked, Machine now) {
        Machine then = before.machine();
        checkSame("call", before.asked(), asked);
        checkSame("machine", then.text(), now.text());
        checkSame("commit", then.commit(), now.commit());
    }

    /** A study of the user's own may have been changed since. Of secrets, which results do not hold, it is seen whether there is one. */
    private static void checkSameSettings(Planned cell, Map<List<String>, CellResult> measured) {
        CellResult before = measured.get(name(cell));
        if (before != null) {
            Map<String, String> then = SecretSettings.without(before.settings());
            Map<String, String> now = SecretSettings.without(cell.settings());
            Set<String> names = new TreeSet<>(then.keySet());
            names.addAll(now.keySet());
            for (String each : names) {
                checkSame(
                        each + " of " + String.join(" ", name(cell)),
                        then.getOrDefault(each, "none"),
                        now.getOrDefault(each, "none"));
            }
        }
    }

    private static void checkSame(String what, @Nullable String then, @Nullable String now) {
        if (!Objects.equals(then, now)) {
            throw new LabException("the results to go on with are of another " + what + ": " + then + "; now: " + now);
        }
    }

    private String usualVariant(String engine, Map<String, String> settings) {
        Engine found = engines.get(engine);
        return found == null ? "default" : found.usualVariant(settings);
    }

    /** Builds all drivers before anything is measured, and keeps others from replacing them until this is closed. */
    private void prepare(List<List<Planned>> groups) {
        Set<String> needed = new TreeSet<>();
        groups.forEach(group -> group.stream()
                .filter(each -> refusal(each) == null)
                .forEach(cell -> {
                    needed.add(cell.engine());
                    if ("kafka".equals(cell.settings().get("from"))) {
                        needed.add("kafka");
                    }
                }));
        List<Engine> found = new ArrayList<>();
        for (String each : needed) {
            Engine engine = engines.get(each);
            if (engine == null) {
                unusable.put(each, "there is no driver for " + each);
            } else {
                found.add(engine);
            }
        }
        if (drivers == null || found.isEmpty()) {
            found.forEach(this::prepare);
            return;
        }
        if (found.stream().anyMatch(Engine::mustBeBuilt)) {
            drivers.takeAlone(say);
            found.forEach(this::prepare);
        }
        drivers.share(say);
    }

    private void checkNotKilled() {
        if (killed) {
            throw new LabException("it was interrupted");
        }
    }

    private void prepare(Engine engine) {
        checkNotKilled();
        try {
            engine.prepare(say);
        } catch (LabException e) {
            String why = SecretSettings.text(String.valueOf(e.getMessage()), Map.of());
            unusable.put(engine.description().engine(), why);
            say.accept(why);
        }
    }

    /** Why a cell is not run, as far as its settings tell; null if nothing speaks against it. */
    private @Nullable String refusal(Planned cell) {
        Engine engine = engines.get(cell.engine());
        return engine == null ? null : engine.refusal(Cell.of(cell.settings(), work.path()));
    }

    /** Runs cells in turns, for the lab's test of itself. */
    List<CellResult> run(List<Planned> group, Wish wish) {
        prepare(List.of(group));
        return run(group, wish.turns(), wish.timing(), "");
    }

    private List<CellResult> run(List<Planned> group, int turns, Timing timing, String place) {
        checkNotKilled();
        List<CellRuns> all = group.stream().map(CellRuns::new).toList();
        List<CellRuns> order = new ArrayList<>(all);
        for (int round = 1; round <= turns; round++) {
            Collections.shuffle(order, random);
            for (CellRuns each : order) {
                // A user's own job that has failed fails again.
                if (each.refused() == null && !(JobFiles.isTopology(each.planned()) && each.hasOnlyFailed())) {
                    run(each, timing);
                    checkNotKilled();
                    tell(each, place, round + "/" + turns);
                }
            }
        }
        compareTopologies(
                all.stream().filter(each -> JobFiles.isTopology(each.planned())).toList());
        all.forEach(CellRuns::applyCheck);
        return all.stream()
                .map(each -> each.result(engines.get(each.planned().engine())))
                .toList();
    }

    /** The first engine of which a run counts is what the others are held against. */
    private static void compareTopologies(List<CellRuns> all) {
        all.forEach(CellRuns::compare);
        all.stream()
                .filter(each -> each.valid() != null)
                .findFirst()
                .ifPresent(first -> all.forEach(each -> {
                    if (each != first) {
                        each.compare(first);
                    }
                }));
    }

    private void tell(CellRuns each, String place, String round) {
        Planned planned = each.planned();
        String what = place + "  " + planned.study().name() + "." + planned.caseName() + "  " + planned.engine() + " "
                + planned.variant() + "  run " + round + "  ";
        if (each.refused() != null) {
            say.accept(what + "not run: " + each.refused());
            return;
        }
        RunResult last = each.last();
        say.accept(what
                + (last.recordsPerS() == null
                        ? "failed: " + last.reason()
                        : String.format(
                                "%,.0f records/s%s", last.recordsPerS(), last.settled() ? "" : " (not settled)"))
                + (last.profile() == null ? "" : ", profiled"));
    }

    private void run(CellRuns runs, Timing timing) {
        Planned planned = runs.planned();
        String declared = refusal(planned);
        if (declared != null) {
            runs.refuse(declared);
            return;
        }
        String why = unusable.get(planned.engine());
        Engine engine = engines.get(planned.engine());
        if (why != null || engine == null) {
            runs.refuse(String.valueOf(why));
            return;
        }
        turn++;
        try {
            Map<String, String> settings = new TreeMap<>(planned.settings());
            if (Cell.of(settings, work.path()).workload() == Cell.Workload.FILES) {
                runs.add(fileRuns.run(engine, Cell.of(settings, work.path()), turn, runs));
                return;
            }
            if ("kafka".equals(settings.get("from"))) {
                settings.putAll(topic(settings));
            }
            jobFiles.check(planned);
            CellRun.Outcome outcome = settings.containsKey("rate-search")
                    ? new RateSearch(
                                    settings,
                                    atRate -> run(engine, atRate, timing, runs),
                                    line -> say.accept(runs.shown(line)))
                            .best()
                    : run(engine, settings, timing, runs);
            jobFiles.check(planned); // its JVM may have opened it since
            runs.add(outcome);
        } catch (LabException | IOException | UncheckedIOException | IllegalArgumentException e) {
            runs.add(CellRun.Outcome.failed(turn, String.valueOf(e.getMessage())));
        } catch (RuntimeException e) { // the other cells are run all the same
            runs.add(CellRun.Outcome.failed(turn, "what its processes left could not be read: " + e));
        }
    }

    private CellRun.Outcome run(Engine engine, Map<String, String> settings, Timing timing, CellRuns runs)
            throws IOException {
        Path folder = work.newFolder();
        Cell timed = Cell.of(settings, folder);
        Profiles kept = profiles;
        if (kept != null) {
            if (timed.kills()) {
                throw new LabException(
                        "a run in which a process is killed cannot be profiled: its recording ends with it");
            }
            kept.next(runs.planned(), turn);
        }
        Cell cell = kept == null ? timed : timed.with(Map.of("profile", "true"), folder);
        cell.write();
        try {
            return run(engine, cell, timing, runs);
        } finally {
            work.tryDelete(folder);
        }
    }

    private CellRun.Outcome run(Engine engine, Cell cell, Timing timing, CellRuns runs) throws IOException {
        boolean cluster = cell.processes() > 1
                || cell.workload() == Cell.Workload.PRODUCE
                || cell.workload() == Cell.Workload.CONSUME;
        DriverProcess driver = cluster
                ? clusters.of(engine)
                : start(engine, cell, runs.planned().settings().get("heap"));
        try {
            runs.setEngineVersion(driver.version());
            if (cell.from().equals("kafka") && !cluster) {
                warmUp(driver, cell, timing);
            }
            CellRun.Outcome outcome = CellRun.run(driver, cell, timing, turn, profiles);
            check(driver, cell, outcome, timing, runs);
            return outcome;
        } catch (IOException | RuntimeException e) {
            driver.kill(); // its run may go on, and its end would be taken for that of the next one
            throw e;
        } finally {
            if (!cluster || !driver.isAlive()) {
                clusters.end(engine.description().engine(), driver);
            }
        }
    }

    /**
     * Reads a topic from its first to its last record, again and again: it is over before Java has compiled what reads it, so that a
     * process which reads it for the first time is measured while it gets faster.
     */
    private void warmUp(DriverProcess driver, Cell cell, Timing timing) throws IOException {
        Duration enough = timing.warmUp().compareTo(TOPIC_WARM_UP) < 0 ? TOPIC_WARM_UP : timing.warmUp();
        long untilNs = System.nanoTime() + enough.toNanos();
        String answer = "done";
        while (System.nanoTime() < untilNs && "done".equals(answer)) {
            Path folder = work.newFolder();
            try {
                cell.with(Map.of("profile", "false"), folder).write();
                driver.order(folder);
                answer = driver.answer(timing.startAtMost().multipliedBy(3));
                if (answer == null) {
                    driver.kill(); // the timed run says that its process has ended
                }
            } finally {
                work.tryDelete(folder);
            }
        }
    }

    /** After the first run of a cell that came out right, as far as its sums tell. */
    private void check(DriverProcess driver, Cell cell, CellRun.Outcome outcome, Timing timing, CellRuns runs)
            throws IOException {
        RunResult result = outcome.result();
        Double rate = result == null ? null : result.recordsPerS();
        if (rate == null || runs.isChecked() || !Check.applies(cell) || !driver.isAlive()) {
            return;
        }
        Path folder = work.newFolder();
        try {
            Duration atMost = timing.startAtMost().plus(timing.drainAtMost());
            runs.setChecked(CheckRun.run(driver, cell, folder, rate, atMost));
        } finally {
            work.tryDelete(folder);
        }
    }

    private DriverProcess start(Engine engine, Cell cell, @Nullable String heap) throws IOException {
        clusters.makeRoomForOne();
        DriverProcess started = cell.workload() == Cell.Workload.TOPOLOGY
                ? DriverProcess.startHere(engine, work.newFolder(), heap, jobJars)
                : DriverProcess.start(engine, work.newFolder(), heap);
        current = started;
        return started;
    }

    /** A broker with a topic of so many records; made once for cells that want the same. */
    private Map<String, String> topic(Map<String, String> settings) throws IOException {
        Map<String, String> wanted = new TreeMap<>();
        wanted.put("workload", "serve");
        for (String each : List.of("records", "payload", "partitions")) {
            String value = settings.get(each);
            if (value != null) {
                wanted.put(each, value);
            }
        }
        if (!clusters.isUp("kafka")) {
            topics.clear(); // they were where it was
        }
        Map<String, String> known = topics.get(wanted.toString());
        if (known != null) {
            return known;
        }
        Engine kafka = engines.get("kafka");
        String why = unusable.get("kafka");
        if (kafka == null || why != null) {
            throw new LabException("no broker to read from: " + (why == null ? "there is no driver for kafka" : why));
        }
        say.accept("filling a topic with " + settings.get("records") + " records ...");
        DriverProcess broker = clusters.of(kafka);
        Path folder = work.newFolder();
        Cell.of(wanted, folder).write();
        broker.order(folder);
        String answer = broker.answer(TO_FILL_A_TOPIC);
        if (!"done".equals(answer)) {
            broker.kill(); // it may be filling still, and would answer another order with this one's end
            throw new LabException("the topic could not be filled: " + answer + broker.lastWords());
        }
        Properties service = new Properties();
        try (var in = Files.newBufferedReader(folder.resolve("service.properties"))) {
            service.load(in);
        }
        Map<String, String> made =
                Map.of("broker", service.getProperty("broker"), "topic", service.getProperty("topic"));
        topics.put(wanted.toString(), made);
        return made;
    }

    /** Ends every process at once and takes its folder away, for when the lab itself is told to end. Any thread may call. */
    public void kill() {
        killed = true;
        DriverProcess running = current;
        if (running != null) {
            running.kill();
        }
        engines.values().forEach(Engine::kill);
        fileRuns.kill();
        clusters.kill();
        work.tryDelete(work.path()); // inputs of file jobs are gigabytes
    }

    /** Ends every process that it started and takes its folder away. */
    @Override
    public void close() {
        DriverProcess running = current;
        if (running != null) {
            running.close();
        }
        clusters.close();
        try {
            work.close();
        } catch (IOException | UncheckedIOException e) {
            say.accept("could not delete " + work.path() + ": " + e.getMessage());
        }
        try {
            if (drivers != null) {
                drivers.close();
            }
        } catch (IOException e) {
            say.accept("could not let go of the drivers: " + e.getMessage());
        }
    }
}
