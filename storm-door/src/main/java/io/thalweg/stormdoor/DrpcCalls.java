// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.storm.ILocalDRPC;
import org.apache.storm.generated.DRPCExceptionType;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.generated.DRPCRequest;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.ServiceRegistry;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedDRPCExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Calls of DRPC functions that topologies in this process answer, as those of Storm's {@code LocalDRPC}.
 *
 * <pre>{@code
 * try (DrpcCalls calls = new DrpcCalls()) {
 *     StormRun run = StormDoor.of(builder.createLocalTopology(calls), conf).start(RunSettings.defaults());
 *     String answer = calls.execute("reach", "example.org");
 * }
 * }</pre>
 *
 * <p>A call that was made before its topology has started waits for it. Thread-safe.
 */
public final class DrpcCalls implements ILocalDRPC {
    /** Storm names it among the options of its servers. */
    static final String TIMEOUT_SECS = "drpc.request.timeout.secs";

    private static final DRPCRequest NOTHING = new DRPCRequest("", "");
    private static final long MS_PER_S = 1000;

    private record Call(String function, DRPCRequest request, CompletableFuture<String> answer) {
        void fail(DRPCExceptionType type, String why) {
            answer.completeExceptionally(failure(type, why));
        }
    }

    private final long atMostMs;
    private final String service;

    /** Those without an answer, by the ids of their requests. */
    private final Map<String, Call> open = new HashMap<>();

    /** Those that no topology has taken, by functions. */
    private final Map<String, Queue<Call>> waiting = new HashMap<>();

    /** The topologies that have taken calls without an answer, by the ids of the requests. */
    private final Map<String, Host> takers = new HashMap<>();

    /** The topologies that run, by functions. */
    private final Map<String, Set<Host>> answering = new HashMap<>();

    /** The names of those that answered until they ended, by functions that nobody answers any more. */
    private final Map<String, String> ended = new HashMap<>();

    private long requests;
    private boolean closed;

    /** Without calls; one may take as long as {@code drpc.request.timeout.secs} of Storm's configuration says, 600 s by default. */
    public DrpcCalls() {
        this(Duration.ofSeconds(ObjectReader.getInt(Utils.readStormConfig().get(TIMEOUT_SECS), 600)));
    }

    /**
     * The same.
     *
     * @param atMost how long a call may take
     */
    public DrpcCalls(Duration atMost) {
        atMostMs = TimeUnit.MILLISECONDS.convert(atMost);
        service = ServiceRegistry.registerService(this);
    }

    /**
     * Calls a function, and waits for the answer.
     *
     * @throws DRPCExecutionException if the topology fails the call, or has ended, if the answer does not come in time, or these calls
     *     are closed; one line that says which
     */
    @Override
    public String execute(String function, String arguments) throws DRPCExecutionException {
        Call call = begin(function, arguments);
        try {
            return call.answer.get(atMostMs, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof DRPCExecutionException failure) {
                throw failure;
            }
            throw new IllegalStateException(e);
        } catch (TimeoutException e) {
            throw failure(DRPCExceptionType.SERVER_TIMEOUT, late(function));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure(DRPCExceptionType.INTERNAL_ERROR, "the call of '" + function + "' was interrupted");
        } finally {
            forget(call);
        }
    }

    private synchronized Call begin(String function, String arguments) throws DRPCExecutionException {
        if (closed) {
            throw failure(DRPCExceptionType.SERVER_SHUTDOWN, closed(function));
        }
        String topology = ended.get(function);
        if (topology != null) {
            throw failure(DRPCExceptionType.FAILED_REQUEST, ended(function, topology));
        }
        requests++;
        DRPCRequest request = new DRPCRequest(arguments, Long.toString(requests));
        Call call = new Call(function, request, new CompletableFuture<>());
        open.put(request.get_request_id(), call);
        waiting.computeIfAbsent(function, none -> new ArrayDeque<>()).add(call);
        return call;
    }

    private synchronized void forget(Call call) {
        open.remove(call.request.get_request_id());
        takers.remove(call.request.get_request_id());
        Queue<Call> its = waiting.get(call.function);
        if (its != null) {
            its.remove(call);
        }
    }

    private synchronized String late(String function) {
        String within = atMostMs % MS_PER_S == 0 ? atMostMs / MS_PER_S + " s" : atMostMs + " ms";
        return "no answer to '" + function + "' within " + within + " (" + TIMEOUT_SECS + ")"
                + (answering.containsKey(function) ? "" : "; no topology that runs answers it");
    }

    private static String closed(String function) {
        return "the LocalDRPC by which '" + function + "' is called is closed";
    }

    private static String ended(String function, String topology) {
        return "topology '" + topology + "', which answered '" + function + "', has ended";
    }

    private static DRPCExecutionException failure(DRPCExceptionType type, String why) {
        DRPCExecutionException failure = new WrappedDRPCExecutionException(why);
        failure.set_type(type);
        return failure;
    }

    // ---- what spouts and bolts of topologies call

    @Override
    public String getServiceId() {
        return service;
    }

    @Override
    public synchronized DRPCRequest fetchRequest(String function) {
        Queue<Call> its = waiting.get(function);
        Call next = its == null ? null : its.poll();
        if (next == null) {
            return NOTHING;
        }
        answering.getOrDefault(function, Set.of()).stream()
                .filter(Host::isEntered)
                .forEach(taker -> takers.put(next.request.get_request_id(), taker));
        return next.request;
    }

    @Override
    public synchronized void result(String request, @Nullable String result) {
        Call call = open.get(request);
        if (call == null) {
            return; // it has come too late
        }
        if (result == null) {
            call.fail(DRPCExceptionType.INTERNAL_ERROR, "the answer to '" + call.function + "' is null");
        } else {
            call.answer.complete(result);
        }
    }

    @Override
    public void failRequest(String request) {
        failRequestV2(request, null);
    }

    @Override
    public synchronized void failRequestV2(String request, @Nullable DRPCExecutionException why) {
        Call call = open.get(request);
        if (call == null) {
            return;
        }
        if (why == null) {
            call.fail(
                    DRPCExceptionType.FAILED_REQUEST,
                    "the topology failed the call of '" + call.function
                            + "': a bolt did, or topology.message.timeout.secs was over");
        } else {
            call.answer.completeExceptionally(why);
        }
    }

    // ---- life

    /** A topology answers a function from now on. */
    synchronized void begin(String function, Host topology) {
        answering.computeIfAbsent(function, none -> new HashSet<>()).add(topology);
        ended.remove(function);
    }

    /** It has ended. Nobody will answer the calls that it has taken, nor any that are open if no other one answers the function. */
    synchronized void end(String function, Host topology) {
        Set<Host> left = answering.get(function);
        if (left == null || !left.remove(topology)) {
            return;
        }
        boolean last = left.isEmpty();
        String name = topology.layout.name;
        for (Call call : open.values()) {
            boolean taken = takers.get(call.request.get_request_id()) == topology;
            if (call.function.equals(function) && (last || taken)) {
                call.fail(DRPCExceptionType.FAILED_REQUEST, ended(function, name));
            }
        }
        if (last) {
            answering.remove(function);
            ended.put(function, name);
            unregister();
        }
    }

    /** Fails the calls that are open, and those that come. */
    @Override
    public synchronized void close() {
        closed = true;
        open.values().forEach(call -> call.fail(DRPCExceptionType.SERVER_SHUTDOWN, closed(call.function)));
        unregister();
    }

    /** Bolts look for it as long as their topologies run. */
    private void unregister() {
        if (closed && answering.isEmpty()) {
            ServiceRegistry.unregisterService(service);
        }
    }

    @Override
    @SuppressWarnings("deprecation") // of Storm's
    public void shutdown() {
        close();
    }
}
