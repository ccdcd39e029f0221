// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.Meter;
import com.codahale.metrics.MetricSet;
import com.codahale.metrics.Timer;
import io.thalweg.python.PythonPackage;
import io.thalweg.run.Clock;
import io.thalweg.run.TemporaryFolder;
import io.thalweg.stormdoor.state.StateFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.storm.Config;
import org.apache.storm.ICredentialsListener;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.hooks.ITaskHook;
import org.apache.storm.hooks.IWorkerHook;
import org.apache.storm.metric.api.IMetric;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.task.WorkerUserContext;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;
import org.jspecify.annotations.Nullable;

/** What all tasks of a topology share while it runs; Storm's worker. Thread-safe. */
final class Host {
    private static final Map<String, WeakReference<Host>> ALL = new ConcurrentHashMap<>();
    static final int PORT = 6700;
    static final long NS_PER_S = 1_000_000_000;

    final String id;
    final Layout layout;
    final ClassLoader loader;

    /** The trees that have not ended, where tuples may be read from state, which know only numbers; else null. */
    private final @Nullable Map<Long, TupleTree> treesByRoot;

    /** Bolts that emit from threads of their own. */
    private final Set<String> ofOwnThreads = ConcurrentHashMap.newKeySet();

    /** Tuples sent to a task that was there no more. */
    private final LongAdder dropped = new LongAdder();

    /** Other tasks of the topology run in other processes. */
    private final boolean scattered;

    private final @Nullable Path code;
    private final Map<String, Object> resources = new HashMap<>();
    private final Map<String, Object> userResources = new ConcurrentHashMap<>();
    private final ExecutorService shared;
    private final StormMetricRegistry metrics = new StormMetricRegistry();
    private @Nullable TemporaryFolder scratch;
    private volatile @Nullable StateFolder state;

    /** Of a Trident topology. */
    private @Nullable TridentTransactions transactions;

    /** Null until a task needs it: what never runs leaves no folder behind. */
    private volatile @Nullable WorkerUserContext context;

    /** Guarded by this. */
    private @Nullable Path python;

    private final Map<String, List<Counts>> counts = new HashMap<>();
    private final Map<List<Object>, FeedbackQueue> lanes = new HashMap<>();
    private final List<IWorkerHook> hooks = new ArrayList<>();
    private final List<SpoutReader> spouts = new CopyOnWriteArrayList<>();

    /** Those of executors, until they are closed. Guarded by itself. */
    private final Map<Thread, Integer> threads = new HashMap<>();

    /** By each of them the topology fails, whatever its components do. */
    private final List<Consumer<Throwable>> failing = new CopyOnWriteArrayList<>();

    private volatile boolean interrupted;
    private final AtomicBoolean metricsTold = new AtomicBoolean();
    private volatile Consumer<String> warnings = line -> {};
    private volatile Clock clock = Clock.system();
    private volatile long startedNs;
    private volatile boolean active = true;

    /** By the clock; only while {@link #stopping}. */
    private volatile long stopBy;

    private volatile boolean stopping;
    private volatile boolean ended;

    /** @param code what {@code TopologyContext.getCodeDir} returns; null for an empty folder */
    Host(Layout layout, @Nullable Path code, ClassLoader loader) {
        this(idOf(layout.name), layout, code, loader, false);
    }

    /**
     * @param id the same in each process that runs tasks of the topology
     * @param scattered if several processes may
     */
    Host(String id, Layout layout, @Nullable Path code, ClassLoader loader, boolean scattered) {
        this.id = id;
        this.layout = layout;
        this.code = code;
        this.loader = loader;
        this.scattered = scattered;
        treesByRoot = layout.keepsTuples ? new ConcurrentHashMap<>() : null;
        shared = Executors.newFixedThreadPool(
                Math.max(1, ObjectReader.getInt(layout.conf.get(Config.TOPOLOGY_WORKER_SHARED_THREAD_POOL_SIZE), 4)),
                task -> daemon(task, "thalweg-" + layout.name + "-shared"));
        resources.put(WorkerTopologyContext.SHARED_EXECUTOR, shared);
        layout.components
                .values()
                .forEach(component -> counts.put(
                        component.id(),
                        component.executors().stream()
                                .map(any -> new Counts(
                                        layout.fields
                                                .getOrDefault(component.id(), Map.of())
                                                .keySet(),
                                        layout.inputsOf(component.id()),
                                        component.conf()))
                                .toList()));
        for (Layout.Component component : layout.components.values()) {
            for (int i = 0; i < component.executors().size() && layout.ledBackTo(component.id()); i++) {
                lanes.put(List.of(component.id(), i), new FeedbackQueue());
            }
        }
        startedNs = clock.nowNs();
        ALL.put(id, new WeakReference<>(this));
    }

    /** An id for a topology that is submitted, as Storm makes it. */
    static String idOf(String topology) {
        return topology + "-1-" + UUID.randomUUID();
    }

    /** The one of that id. */
    static Host of(String id) {
        WeakReference<Host> found = ALL.get(id);
        Host host = found == null ? null : found.get();
        if (host == null) {
            throw new IllegalStateException(
                    "a Storm topology runs in the process where it was submitted, and only there: " + id
                            + " is not of this one");
        }
        return host;
    }

    static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    WorkerTopologyContext context() {
        return workerContext();
    }

    private WorkerUserContext workerContext() {
        WorkerUserContext made = context;
        return made == null ? makeContext() : made;
    }

    /** Makes the context on a thread of its own, while the caller goes on: Storm's part of it takes as long as starting the job. */
    Thread prepare() {
        Thread thread = daemon(this::makeAhead, "thalweg-" + layout.name + "-context");
        thread.start();
        return thread;
    }

    boolean hasContext() {
        return context != null;
    }

    private synchronized void makeAhead() {
        if (ended) {
            return;
        }
        try {
            makeContext();
        } catch (RuntimeException e) {
            // the first task that needs it throws this, too
        }
    }

    private synchronized WorkerUserContext makeContext() {
        WorkerUserContext made = context;
        if (made != null) {
            return made;
        }
        try {
            TemporaryFolder own = TemporaryFolder.make("thalweg-storm-");
            scratch = own;
            Path folder = own.path();
            Path pids = Files.createDirectory(folder.resolve("pids"));
            Path resourcesOf = code == null ? Files.createDirectory(folder.resolve("resources")) : code;
            made = new WorkerUserContext(
                    layout.system,
                    layout.conf,
                    layout.taskToComponent,
                    layout.componentToTasks,
                    layout.fields,
                    id,
                    resourcesOf.toString(),
                    pids.toString(),
                    PORT,
                    List.copyOf(layout.taskToComponent.keySet()),
                    resources,
                    userResources,
                    new AtomicReference<>(Map.of()),
                    id,
                    new AtomicReference<>(Map.of()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        context = made;
        return made;
    }

    /** A folder with the Python package, for children, which is written when the first of them is about to start. */
    synchronized Path python() {
        Path folder = python;
        if (folder == null) {
            folder = Path.of(context().getPIDDir()).resolveSibling("python");
            try {
                PythonPackage.writeTo(folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            python = folder;
        }
        return folder;
    }

    boolean acks() {
        return layout.ackers > 0;
    }

    /** As on Storm before it is opened or prepared, which may rely on it: there are none. */
    static void giveCredentials(Object component) {
        if (component instanceof ICredentialsListener its) {
            its.setCredentials(new HashMap<>());
        }
    }

    Counts counts(String component, int executor) {
        List<Counts> all = counts.get(component);
        if (all == null) {
            throw new IllegalArgumentException("there is no component '" + component + "'");
        }
        return all.get(executor);
    }

    List<ComponentStats> stats() {
        long elapsedNs = nowNs() - startedNs;
        List<ComponentStats> all = new ArrayList<>();
        for (Layout.Component component : layout.components.values()) {
            all.add(Counts.of(component, counts.getOrDefault(component.id(), List.of()), elapsedNs));
        }
        return all;
    }

    TopologyInfo info() {
        return NimbusView.of(id, layout, status(), nowNs() - startedNs, counts);
    }

    private String status() {
        return stopping ? "KILLED" : active ? "ACTIVE" : "INACTIVE";
    }

    /** The context of one task. */
    TopologyContext context(Layout.Component component, int task, Map<String, Object> executorData) {
        WorkerUserContext worker = workerContext();
        TopologyContext made =
                new TopologyContext(
                        layout.user,
                        component.conf(),
                        layout.taskToComponent,
                        layout.componentToTasks,
                        layout.fields,
                        new HashMap<>(),
                        id,
                        worker.getCodeDir(),
                        worker.getPIDDir(),
                        task,
                        PORT,
                        scattered ? tasksBeside(component, task) : List.copyOf(layout.taskToComponent.keySet()),
                        resources,
                        userResources,
                        executorData,
                        new HashMap<>(),
                        new AtomicBoolean(),
                        metrics) {
                    @Override
                    @Deprecated
                    public <T extends IMetric> T registerMetric(String name, T metric, int everySecs) {
                        ignoreMetric(component, name);
                        return super.registerMetric(name, metric, everySecs);
                    }

                    @Override
                    public Timer registerTimer(String name) {
                        ignoreMetric(component, name);
                        return super.registerTimer(name);
                    }

                    @Override
                    public Histogram registerHistogram(String name) {
                        ignoreMetric(component, name);
                        return super.registerHistogram(name);
                    }

                    @Override
                    public Meter registerMeter(String name) {
                        ignoreMetric(component, name);
                        return super.registerMeter(name);
                    }

                    @Override
                    public Counter registerCounter(String name) {
                        ignoreMetric(component, name);
                        return super.registerCounter(name);
                    }

                    @Override
                    public <T> Gauge<T> registerGauge(String name, Gauge<T> gauge) {
                        ignoreMetric(component, name);
                        return super.registerGauge(name, gauge);
                    }

                    @Override
                    public void registerMetricSet(String prefix, MetricSet set) {
                        ignoreMetric(component, prefix);
                        super.registerMetricSet(prefix, set);
                    }
                };
        if (component.conf().get(Config.TOPOLOGY_AUTO_TASK_HOOKS) instanceof List<?> classes) {
            for (Object each : classes) {
                made.addTaskHook(hook(component, String.valueOf(each)));
            }
        }
        return made;
    }

    private void ignoreMetric(Layout.Component component, String name) {
        ignoreMetrics("'" + component.id() + "' registers the metric '" + name + "'");
    }

    /** Says once that nobody asks for the values of metrics. */
    private void ignoreMetrics(String what) {
        if (metricsTold.compareAndSet(false, true)) {
            warnings.accept("topology '" + layout.name + "': " + what
                    + ", and nobody collects metrics here; StormRun.stats(), and the table of thalweg storm run, say what"
                    + " components did");
        }
    }

    private void ignoreMetrics(String what, String option) {
        if (layout.conf.get(option) instanceof List<?> several && !several.isEmpty()) {
            ignoreMetrics("it has metrics " + what + " (" + option + ")");
        }
    }

    /** Those of its executor, which are surely in this process. */
    private List<Integer> tasksBeside(Layout.Component component, int task) {
        Layout.Place place = layout.place(task);
        return place == null ? List.of(task) : component.executors().get(place.executor());
    }

    private ITaskHook hook(Layout.Component component, String className) {
        try {
            return Class.forName(className, true, loader)
                    .asSubclass(ITaskHook.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw layout.problem(
                    component.id(),
                    Config.TOPOLOGY_AUTO_TASK_HOOKS + " names " + className + ", which cannot be made: " + e);
        }
    }

    // ---- life

    long nowNs() {
        return clock.nowNs();
    }

    long epochMs() {
        return clock.epochMs();
    }

    /**
     * Before any task begins.
     *
     * @param its of the run
     * @param tell gets what the user should know, in one line each
     */
    void begin(Clock its, Consumer<String> tell) {
        clock = its;
        warnings = tell;
        startedNs = nowNs();
        for (DrpcFunction each : layout.functions) {
            each.begin(this);
            if (each.forServer()) {
                tell.accept("topology '" + layout.name + "' answers the DRPC function '" + each.name()
                        + "' for calls from this process only: there is no DRPC server");
            }
        }
        if (layout.conf.get(Config.TOPOLOGY_ENVIRONMENT) instanceof Map<?, ?> variables && !variables.isEmpty()) {
            tell.accept(
                    "topology '" + layout.name + "' has " + Config.TOPOLOGY_ENVIRONMENT
                            + ", which its child processes find in their environment; in Java, components find that of this process");
        }
        if (layout.keepsTuples && !acks()) {
            tell.accept(
                    "topology '" + layout.name + "' has stateful bolts and topology.acker.executors: 0: as on Storm,"
                            + " no state is ever committed, and each tuple that such a bolt has acked stays in memory; checkpoints"
                            + " need acks");
        }
        ignoreMetrics("consumers", Config.TOPOLOGY_METRICS_CONSUMER_REGISTER);
        ignoreMetrics("reporters", Config.TOPOLOGY_METRICS_REPORTERS);
        Object directory = layout.conf.get(StormDoor.STATE_DIRECTORY);
        if (directory != null) {
            Map<String, List<Integer>> tasks = new HashMap<>();
            layout.components.forEach((component, each) -> tasks.put(component, each.tasks()));
            state = StateFolder.open(Path.of(directory.toString()), layout.name, id, tasks, loader);
        }
        if (layout.trident) {
            beginTrident();
        }
        if (!layout.system.is_set_worker_hooks()) {
            return;
        }
        for (java.nio.ByteBuffer bytes : layout.system.get_worker_hooks()) {
            byte[] copy = new byte[bytes.remaining()];
            bytes.duplicate().get(copy);
            try {
                IWorkerHook hook = (IWorkerHook) Components.read(copy, loader);
                hook.start(layout.conf, workerContext());
                hooks.add(hook);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (ClassNotFoundException e) {
                throw layout.problem(
                        "", "the class of a worker hook, " + e.getMessage() + ", is not on the class path");
            }
        }
    }

    private void beginTrident() {
        makeContext(); // its thread has seen the conf as it was
        StateFolder kept = state;
        List<Map<String, Object>> all = new ArrayList<>();
        all.add(layout.conf);
        layout.components.values().forEach(each -> all.add(each.conf()));
        // or its bolts look for who has called a function of DRPC elsewhere
        all.forEach(each -> each.put(Config.STORM_CLUSTER_MODE, "local"));
        if (TridentTransactions.elsewhere(layout.conf)) {
            return;
        }
        if (kept == null) {
            warnings.accept("topology '" + layout.name
                    + "' keeps its transactions of Trident until it ends, and begins with the"
                    + " first one again then; where state outlives the run, keep them, too: --state DIR, or "
                    + StormDoor.STATE_DIRECTORY);
        }
        TridentTransactions its = TridentTransactions.start(
                (kept == null ? Objects.requireNonNull(scratch).path() : kept.path()).resolve("trident"));
        transactions = its;
        its.onFailure(this::fail);
        all.forEach(its::tell);
    }

    /** On a thread of nobody's, while the components wait for what does not come any more. */
    private void fail(RuntimeException problem) {
        failing.forEach(each -> each.accept(problem));
        interrupt();
    }

    /** All tasks have ended. May be called again. */
    synchronized void end() {
        if (ended) {
            return;
        }
        ended = true;
        ALL.remove(id);
        lanes.values().forEach(FeedbackQueue::close);
        layout.functions.forEach(each -> each.end(this));
        Closing closing = new Closing(); // of all hooks, even if one fails
        try {
            hooks.forEach(hook -> closing.run(hook::shutdown));
            closing.end();
        } finally {
            shared.shutdownNow();
            TridentTransactions its = transactions;
            if (its != null) {
                its.close();
            }
            StateFolder kept = state;
            if (kept != null) {
                kept.close();
            }
            TemporaryFolder made = scratch;
            if (made != null) {
                made.close();
            }
        }
    }

    /** Throws why the state of a bolt, or the transactions of Trident, cannot be written, if they cannot. */
    void checkState() {
        RuntimeException problem = failure();
        if (problem != null) {
            throw problem;
        }
    }

    private @Nullable RuntimeException failure() {
        StateFolder its = state;
        RuntimeException problem = its == null ? null : its.failure();
        TridentTransactions numbers = transactions;
        return problem == null && numbers != null ? numbers.failure() : problem;
    }

    /** @param fails fails the topology; any thread may call it */
    void failBy(Consumer<Throwable> fails) {
        failing.add(fails);
        RuntimeException problem = failure();
        if (problem != null) {
            fails.accept(problem);
        }
    }

    boolean ended() {
        return ended;
    }

    void begin(TupleTree tree) {
        if (treesByRoot != null) {
            treesByRoot.put(tree.root, tree);
        }
    }

    void end(TupleTree tree) {
        if (treesByRoot != null) {
            treesByRoot.remove(tree.root);
        }
    }

    /** Null if it has ended. */
    @Nullable TupleTree tree(long root) {
        return treesByRoot == null ? null : treesByRoot.get(root);
    }

    void add(SpoutReader spout) {
        spouts.add(spout);
    }

    boolean active() {
        return active && !stopping;
    }

    void activate(boolean on) {
        active = on;
    }

    boolean stopping() {
        return stopping;
    }

    boolean stopOverdue() {
        return stopping && nowNs() - stopBy >= 0;
    }

    /** Whether the topology is to end, and other spouts than that of checkpoints have tuples that are not done, and time for them. */
    boolean waitsForCheckpoints(SpoutReader ofCheckpoints) {
        return stopping
                && !stopOverdue()
                && spouts.stream().anyMatch(each -> each != ofCheckpoints && !each.finished());
    }

    /** Spouts are deactivated, but for that of checkpoints, and end when all that they emitted is done, or after this time. */
    void stop(long withinNs) {
        stopBy = nowNs() + withinNs;
        stopping = true;
    }

    /** The current thread calls the spouts or bolts of an executor until it {@linkplain #leave leaves}. */
    void enter() {
        synchronized (threads) {
            threads.merge(Thread.currentThread(), 1, Integer::sum);
        }
    }

    /** Whether the current thread calls spouts or bolts of this topology. */
    boolean isEntered() {
        synchronized (threads) {
            return threads.containsKey(Thread.currentThread());
        }
    }

    /** Its components are closed next, and not interrupted in that. */
    void leave(Thread thread) {
        synchronized (threads) { // an interrupt that is on its way has come by then
            boolean entered = threads.containsKey(thread);
            threads.computeIfPresent(thread, (same, executors) -> executors == 1 ? null : executors - 1);
            if (entered && thread == Thread.currentThread() && interrupted) {
                Thread.interrupted();
            }
        }
    }

    /** Interrupts the calls that have not come back, as Storm does where a LocalCluster is closed. */
    void interrupt() {
        synchronized (threads) {
            interrupted = true;
            threads.keySet().forEach(Thread::interrupt);
        }
    }

    /** Whether a call ended in this because it was interrupted, and not because the topology fails. */
    boolean wasInterrupted(RuntimeException thrown) {
        return interrupted && failure() == null && Utils.exceptionCauseIsInstanceOf(InterruptedException.class, thrown);
    }

    /** Trees that are neither complete nor given up. */
    long pending() {
        return spouts.stream().mapToLong(SpoutReader::pending).sum();
    }

    // ---- streams that lead back

    /** What leads back to an executor; null if nothing does. */
    @Nullable FeedbackQueue backTo(String component, int executor) {
        return lanes.get(List.of(component, executor));
    }

    void handBack(DoorTuple message) {
        FeedbackQueue lane = backTo(message.to.component(), message.task());
        if (lane == null || !lane.add(message)) {
            drop();
        }
    }

    /** A bolt emits from a thread of its own, or is known to. */
    void hasOwnThreads(String component) {
        ofOwnThreads.add(component);
    }

    /** By component, tuples that those bolts were given and have neither acked nor failed; none if there are none. */
    Map<String, Long> unacked() {
        Map<String, Long> all = new TreeMap<>();
        for (String component : ofOwnThreads) {
            long open = counts.getOrDefault(component, List.of()).stream()
                    .mapToLong(Counts::open)
                    .sum();
            if (open > 0) {
                all.put(component, open);
            }
        }
        return all;
    }

    // ---- what comes too late

    void drop() {
        dropped.increment();
    }

    long dropped() {
        return dropped.sum()
                + lanes.values().stream().mapToLong(FeedbackQueue::left).sum();
    }
}
