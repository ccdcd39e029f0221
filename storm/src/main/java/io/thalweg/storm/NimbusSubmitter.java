// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.engine.HostedOrders;
import io.thalweg.engine.HostedPlan;
import io.thalweg.run.JobFailedException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.blobstore.ClientBlobStore;
import org.apache.storm.blobstore.NimbusBlobStore;
import org.apache.storm.generated.AlreadyAliveException;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.jspecify.annotations.Nullable;

/** Submits to a remote cluster through its Nimbus. */
final class NimbusSubmitter implements Submitter {
    private static final String VERSION = "2.8.";
    private static final int CONNECT_MS = 5_000;
    private static final int ANSWER_MS = 30_000;
    private static final Duration GONE = Duration.ofSeconds(15);
    private static final long LOOK_MS = 100;

    /** How often a topology is sent of which Nimbus does not say whether it has taken it. */
    private static final int MOST_SENT = 2;

    /**
     * How long it is tried to kill a topology, or to find out whether there is one: a Nimbus that restarts is away for some seconds, and
     * then has no leader for some.
     */
    private static final Duration KILL = Duration.ofMinutes(1);

    private static final long KILL_AGAIN_MS = 1_000;

    private record Address(String host, int port) {
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    private final Address given;
    private final @Nullable List<Path> code;
    private final Consumer<String> warnings;
    private final Duration killing;

    /** The given one, and the others that it has named. */
    private volatile List<Address> known;

    /** Slots that other topologies used when the last job was started. */
    private volatile int usedBefore;

    private NimbusSubmitter(Address given, @Nullable List<Path> code, Consumer<String> warnings, Duration killing) {
        this.given = given;
        this.code = code == null ? null : List.copyOf(code);
        this.warnings = warnings;
        this.killing = killing;
        known = List.of(given);
    }

    /**
     * @param code jars to send besides what the job needs; null if the cluster has this JVM's class path, to send nothing
     * @param warnings is told while no Nimbus answers
     */
    static NimbusSubmitter at(String address, @Nullable List<Path> code, Consumer<String> warnings) {
        return at(address, code, warnings, KILL);
    }

    /** @param killing how long it is tried to kill a topology */
    static NimbusSubmitter at(String address, @Nullable List<Path> code, Consumer<String> warnings, Duration killing) {
        int colon = address.lastIndexOf(':');
        try {
            int port = Integer.parseInt(address.substring(colon + 1));
            if (colon > 0 && port > 0 && port < 1 << 16) {
                return new NimbusSubmitter(new Address(address.substring(0, colon), port), code, warnings, killing);
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new ConnectorException(
                "'" + address + "' is not the address of a Nimbus; use HOST:PORT, as in storm=127.0.0.1:6627");
    }

    private Map<String, Object> conf() {
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put(Config.NIMBUS_SEEDS, List.of(given.host()));
        conf.put(Config.NIMBUS_THRIFT_PORT, given.port());
        conf.put(Config.STORM_NIMBUS_RETRY_TIMES, 0); // whoever tries again is here
        return conf;
    }

    /** Nobody knows whether Nimbus has taken a topology. */
    private static final class LostAnswerException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        LostAnswerException(String message, TTransportException cause) {
            super(message, cause);
        }
    }

    private interface Call<T> {
        T with(NimbusClient client) throws Exception;
    }

    /** Calls the given Nimbus, or another if it is away. */
    private <T> T call(Call<T> call) {
        Address at;
        try {
            at = open();
        } catch (TTransportException e) {
            throw new JobFailedException(
                    "no Nimbus answers at " + given + " (" + e.getMessage()
                            + "); start one, as with 'thalweg storm start', or correct the address",
                    e);
        }
        return call(at, call);
    }

    /** Calls the Nimbus that leads: any other refuses what changes something. */
    private <T> T callLeader(Call<T> call) {
        return call(call(NimbusSubmitter::leader), call);
    }

    private <T> T call(Address at, Call<T> call) {
        try (NimbusClient client = connect(at)) {
            return call.with(client);
        } catch (Exception e) { // broken connections are wrapped here and there
            if (NimbusStore.isBroken(e)) {
                throw new JobFailedException("Nimbus at " + at + " does not answer (" + NimbusStore.reason(e) + ")", e);
            }
            Throwable why = e instanceof RuntimeException ? e.getCause() : e;
            if (e instanceof RuntimeException failed && !(why instanceof TException)) {
                throw failed;
            }
            throw new JobFailedException("Nimbus at " + at + ": " + why, e);
        }
    }

    @Override
    public boolean isAway(RuntimeException thrown) {
        return NimbusStore.isBroken(thrown);
    }

    /**
     * The first Nimbus that takes a connection. Storm's own client would retry for minutes and print stack traces if no server listens.
     *
     * @throws TTransportException why the given one takes none
     */
    private Address open() throws TTransportException {
        IOException first = null;
        for (Address each : known) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(each.host(), each.port()), CONNECT_MS);
                return each;
            } catch (IOException e) {
                first = first == null ? e : first;
            }
        }
        throw new TTransportException(first == null ? "no address" : String.valueOf(first.getMessage()), first);
    }

    private NimbusClient connect(Address at) throws TTransportException {
        try {
            return NimbusClient.Builder.withConf(conf())
                    .withTimeout(ANSWER_MS)
                    .buildWithNimbusHostPort(at.host(), at.port());
        } catch (RuntimeException e) { // which Storm wraps whatever it is in
            throw new TTransportException(NimbusStore.reason(e), e);
        }
    }

    private static Address leader(NimbusClient seed) throws TException {
        try {
            NimbusSummary leader = seed.getClient().getLeader();
            return new Address(leader.get_host(), leader.get_port());
        } catch (TApplicationException e) { // as long as none is elected
            throw new TTransportException("no Nimbus leads the cluster");
        }
    }

    @Override
    public boolean local() {
        return false;
    }

    /** At most as many as there are free slots. */
    @Override
    public int workers(int tasks) {
        ClusterSummary cluster = call(client -> client.getClient().getClusterInfo());
        String version = cluster.get_nimbuses_size() == 0
                ? ""
                : cluster.get_nimbuses().get(0).get_version();
        if (!version.startsWith(VERSION)) {
            throw new JobFailedException(
                    "the Storm at " + given + " is version " + version + ", but this Thalweg needs " + VERSION
                            + "x; use a matching version of Storm or of Thalweg",
                    null);
        }
        known = Stream.concat(
                        Stream.of(given),
                        cluster.get_nimbuses().stream().map(each -> new Address(each.get_host(), each.get_port())))
                .distinct()
                .toList();
        usedBefore = used(cluster);
        int free = cluster.get_supervisors().stream()
                        .mapToInt(SupervisorSummary::get_num_workers)
                        .sum()
                - usedBefore;
        if (free <= 0) {
            throw new JobFailedException(
                    "the Storm at " + given
                            + " has no free worker slot; kill a topology there, or start a supervisor with more slots",
                    null);
        }
        return Math.min(free, tasks);
    }

    private static int used(ClusterSummary cluster) {
        return cluster.get_supervisors().stream()
                .mapToInt(SupervisorSummary::get_num_used_workers)
                .sum();
    }

    /** Opens the mailboxes first: a topology that nobody could follow or stop would keep running. */
    @Override
    public Running submit(String name, String job, HostedOrders first, Map<String, Object> config, Topology topology) {
        OnCluster running = new OnCluster(this, name, job);
        boolean submitted = false;
        try {
            submit(name, config, topology);
            submitted = true;
            return running;
        } catch (LostAnswerException e) {
            String advice =
                    "look for it, as with 'storm list', and if it is there, end it with 'storm kill " + name + "'";
            throw new UnsureException(String.valueOf(e.getMessage()), advice, e, running);
        } finally {
            if (!submitted) {
                running.close();
            }
        }
    }

    private void submit(String name, Map<String, Object> config, Topology topology) {
        Path jar = null;
        try {
            jar = code == null ? JobJar.empty() : JobJar.write(topology.graph(), code);
            Optional<TTransportException> lost = send(name, jar, config, topology);
            for (int sent = 1; lost.isPresent() && !isTaken(name); sent++) {
                if (sent == MOST_SENT) {
                    throw new LostAnswerException(unanswered(name, lost.get()) + ", and may run it yet", lost.get());
                }
                warnings.accept(unanswered(name, lost.get()) + "; it is sent again");
                lost = sendAgain(name, jar, config, topology, lost);
            }
        } catch (IOException e) {
            throw new JobFailedException("the job's jar cannot be written: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobFailedException("interrupted while topology " + name + " was sent to Nimbus", e);
        } finally {
            delete(jar);
        }
    }

    private String unanswered(String name, TTransportException lost) {
        return "Nimbus at " + given + " has not answered when it was sent topology " + name + " (" + lost + ")";
    }

    /** Why nobody knows whether Nimbus has taken the topology; empty if it has. */
    private Optional<TTransportException> send(String name, Path jar, Map<String, Object> config, Topology topology) {
        return callLeader(client -> {
            Map<String, Object> all = conf();
            all.putAll(config);
            String location = StormSubmitter.submitJarAs(all, jar.toString(), null, client);
            try {
                client.getClient().submitTopology(name, location, JSONValue.toJSONString(config), topology.make());
                return Optional.empty();
            } catch (TTransportException e) {
                return Optional.of(e);
            }
        });
    }

    /**
     * Nimbus takes one topology of each name, and no other job has this one: so the topology runs once, whether or not Nimbus gets, or
     * carries out, the first request yet.
     */
    private Optional<TTransportException> sendAgain(
            String name, Path jar, Map<String, Object> config, Topology topology, Optional<TTransportException> lost) {
        try {
            return send(name, jar, config, topology);
        } catch (JobFailedException e) {
            return e.getCause() instanceof AlreadyAliveException ? Optional.empty() : lost;
        }
    }

    /** Whether Nimbus lists a topology, within a while from its first answer on. */
    private boolean isTaken(String name) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        long sinceNs = HostedPlan.nowNs();
        boolean answers = false;
        do {
            try {
                if (topology(call(client -> client.getClient().getClusterInfo()), name) != null) {
                    return true;
                }
                sinceNs = answers ? sinceNs : HostedPlan.nowNs();
                answers = true;
            } catch (JobFailedException e) {
                // it may be back in a moment
            }
        } while (!never.await(LOOK_MS, TimeUnit.MILLISECONDS)
                && HostedPlan.nowNs() - sinceNs < (answers ? GONE : killing).toNanos());
        return false;
    }

    private static @Nullable TopologySummary topology(ClusterSummary cluster, String name) {
        return cluster.get_topologies().stream()
                .filter(each -> each.get_name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private BlobStoreMailbox mailbox(String job, NimbusStore.Listener listener) {
        try {
            return new BlobStoreMailbox(new NimbusStore(store(), this::store, listener, HostedPlan::nowNs), job);
        } catch (TException | RuntimeException e) {
            String reason = e instanceof AuthorizationException denied ? denied.get_msg() : e.getMessage();
            throw new JobFailedException(
                    "Nimbus at " + given
                            + ": its blob store, through which a job talks to this process, cannot"
                            + " be opened (" + reason + "), so no topology was submitted; check that the leader"
                            + " which that Nimbus names can be reached from here",
                    e);
        }
    }

    /** Storm would find the leader by its settings, too, but asks a LocalCluster of this JVM in its place if there is one. */
    private ClientBlobStore store() throws TException {
        Address at = open();
        Address leader;
        try (NimbusClient seed = connect(at)) {
            leader = leader(seed);
        }
        ClientBlobStore store = new NimbusBlobStore();
        store.setClient(conf(), connect(leader));
        return store;
    }

    private static void delete(@Nullable Path jar) {
        try {
            if (jar != null) {
                Files.deleteIfExists(jar);
            }
        } catch (IOException e) {
            // temporary files are cleaned up by the system
        }
    }

    private static final class OnCluster implements Running, NimbusStore.Listener {
        private static final GetInfoOptions NEWEST_ERROR = new GetInfoOptions();

        static {
            NEWEST_ERROR.set_num_err_choice(NumErrorsChoice.ONE);
        }

        private final NimbusSubmitter place;
        private final String name;
        private final BlobStoreMailbox mailbox;
        private final CountDownLatch never = new CountDownLatch(1);
        private long next;
        private boolean away;
        private volatile boolean cancelled;
        private boolean cancelSent;
        private boolean killed;

        OnCluster(NimbusSubmitter place, String name, String job) {
            this.place = place;
            this.name = name;
            mailbox = place.mailbox(job, this);
        }

        @Override
        public void away(String reason) {
            if (!away) {
                away = true;
                place.warnings.accept("Nimbus at " + place.given + " does not answer (" + reason + "); topology " + name
                        + " may run on without it, and is followed again when it answers");
            }
        }

        @Override
        public void there() {
            if (away) {
                away = false;
                place.warnings.accept("Nimbus at " + place.given + " answers again");
            }
        }

        @Override
        public List<ControlMessage> receive(Duration atMost) throws InterruptedException {
            sendCancel();
            byte[] message = mailbox.take(next);
            if (message == null) {
                boolean counted = never.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
                message = counted ? null : mailbox.take(next);
            }
            if (message == null) {
                message = mailbox.takeLast();
            } else {
                next++;
            }
            if (message == null) {
                return List.of();
            }
            List<ControlMessage> messages = new ArrayList<>();
            ByteReader in = new ByteReader(message);
            while (in.remaining() > 0) {
                messages.add(ControlMessage.read(in));
            }
            return messages;
        }

        @Override
        public TopologyStatus standing() {
            try {
                return place.call(client -> {
                    ClusterSummary cluster = client.getClient().getClusterInfo();
                    TopologySummary there = topology(cluster, name);
                    return there == null
                            ? TopologyStatus.gone()
                            : TopologyStatus.of(
                                    cluster, client.getClient().getTopologyInfoWithOpts(there.get_id(), NEWEST_ERROR));
                });
            } catch (RuntimeException e) { // later it may
                return TopologyStatus.unknown(e);
            }
        }

        /** It is sent with the next look at the mailbox, which has one thread, and may find Nimbus away. */
        @Override
        public void cancel() {
            cancelled = true;
        }

        private void sendCancel() {
            if (cancelled && !cancelSent) {
                try {
                    mailbox.cancel();
                    cancelSent = true;
                } catch (NimbusStore.AwayException e) {
                    // next time
                }
            }
        }

        /** Kills the topology and waits until the slots of its workers are free for the next one. */
        @Override
        public void end() throws InterruptedException {
            try {
                kill();
                awaitSlots();
                mailbox.clear(next);
            } finally {
                close();
            }
        }

        /** Tries again while Nimbus is away, or has no leader yet. */
        private void kill() throws InterruptedException {
            long beganNs = HostedPlan.nowNs();
            boolean over = false;
            while (!over) {
                try {
                    place.callLeader(this::killOn);
                    killed = true;
                    over = true;
                    there();
                } catch (JobFailedException e) {
                    if (e.getCause() instanceof AuthorizationException
                            || HostedPlan.nowNs() - beganNs >= place.killing.toNanos()) {
                        throw unkilled(e);
                    }
                    if (place.isAway(e)) {
                        away(NimbusStore.reason(e));
                    }
                    over = never.await(KILL_AGAIN_MS, TimeUnit.MILLISECONDS);
                }
            }
        }

        /** Its tasks run until it is killed. */
        @Override
        public boolean lingers() throws InterruptedException {
            if (!killed) {
                try {
                    place.callLeader(this::killOn);
                } catch (JobFailedException e) {
                    return true;
                }
                killed = true;
                awaitSlots();
                mailbox.clear(next);
                close();
            }
            return false;
        }

        @Override
        public String lingering() {
            return "the topology of its last attempt, " + name
                    + ", could not be killed, and may still write; the job continues when it is";
        }

        private String killOn(NimbusClient client) throws TException {
            try {
                KillOptions now = new KillOptions();
                now.set_wait_secs(0);
                client.getClient().killTopologyWithOpts(name, now);
            } catch (NotAliveException e) {
                // it was killed already
            }
            return name;
        }

        private JobFailedException unkilled(JobFailedException e) {
            return new JobFailedException(
                    "topology " + name + " may still be on the cluster, since it could not be killed: "
                            + e.getMessage() + "; look for it, as with 'storm list', and end it with 'storm kill "
                            + name + "'",
                    e);
        }

        private void awaitSlots() throws InterruptedException {
            long beganNs = HostedPlan.nowNs();
            while (HostedPlan.nowNs() - beganNs < GONE.toNanos() && remains()) {
                if (never.await(100, TimeUnit.MILLISECONDS)) {
                    break;
                }
            }
        }

        void close() {
            mailbox.close();
        }

        private boolean remains() {
            try {
                return used(place.call(client -> client.getClient().getClusterInfo())) > place.usedBefore;
            } catch (JobFailedException e) {
                return true; // Nimbus does not say
            }
        }
    }
}
