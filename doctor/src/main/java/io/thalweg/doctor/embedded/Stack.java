// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.embedded;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import org.jspecify.annotations.Nullable;

/**
 * What a recorded stack says.
 *
 * @param operator that ran
 * @param handsOver it was passing a record to another task, or taking one from a queue
 * @param acks it was tracking which records are done
 * @param copies it was copying a record or a key
 * @param method the innermost one of the user or of a connector: {@code Prices.parse}; may be empty
 * @param line in it: {@code Prices.java:17}; may be empty
 * @param call what that method called: {@code BigDecimal.<init>}; empty if it ran itself
 * @param leaf the innermost method of all
 */
record Stack(
        String operator,
        boolean handsOver,
        boolean acks,
        boolean copies,
        String method,
        String line,
        String call,
        String leaf) {
    private static final String ENGINE = "io.thalweg.engine.";
    private static final List<String> QUEUES =
            List.of("io.thalweg.engine.route.", "io.thalweg.engine.queue.", "io.thalweg.engine.chain.DrainLoop");
    private static final List<String> ACKS = List.of(
            "io.thalweg.engine.ack.",
            "io.thalweg.engine.source.Ack",
            "io.thalweg.engine.source.Confirmations",
            "io.thalweg.engine.route.Acks",
            "io.thalweg.engine.route.JointAcks");
    /** Opens the operators of a task, before the first record. */
    private static final String OPENING = "io.thalweg.engine.chain.ChainTask";

    /** What calls spouts and bolts of a topology of Storm. */
    private static final String DOOR = "io.thalweg.stormdoor.";

    private static final List<String> LIBRARIES =
            List.of("java.", "javax.", "jdk.", "sun.", "com.sun.", ENGINE, DOOR, "io.thalweg.api.");

    /** Of Storm, but that examples of its authors are in packages of its own. */
    private static final Pattern STORM = Pattern.compile("org\\.apache\\.storm\\.(?!starter\\.|perf\\.)");

    /** Native methods that threads are in while they wait; JFR counts the wait by an event of its own. */
    private static final List<String> WAITING =
            List.of("Net.poll", "EPoll.wait", "KQueue.poll", "Net.accept", "SocketDispatcher.read0", "Unsafe.park");

    /** The name for a class: {@code Simple$Map+0x0000…} for a hidden one, where {@code Class.getName} has a slash. */
    static String recorded(String className) {
        return className.replace('/', '+');
    }

    /**
     * Null if no operator was running, or if it was being opened: that is no part of the time that a task is busy.
     *
     * @param operators by the recorded name of the class that runs them
     */
    static @Nullable Stack of(RecordedStackTrace trace, Map<String, String> operators) {
        List<RecordedFrame> frames = trace.getFrames();
        boolean handsOver = false;
        boolean acks = false;
        for (int i = 0; i < frames.size(); i++) {
            String type = type(frames.get(i));
            boolean passes = QUEUES.stream().anyMatch(type::startsWith);
            acks |= ACKS.stream().anyMatch(type::startsWith);
            String operator = operators.get(type);
            if (operator != null) {
                List<RecordedFrame> above = frames.subList(0, i);
                // A loop that takes records from a queue may call an operator that has no class of its own.
                boolean calls = above.stream().map(Stack::type).anyMatch(each -> !isLibrary(each));
                return frames.stream().anyMatch(Stack::opens)
                        ? null
                        : of(operator, handsOver || (passes && !calls), acks, above);
            }
            handsOver |= passes;
        }
        return null;
    }

    private static boolean opens(RecordedFrame frame) {
        return frame.getMethod().getName().equals("open") && type(frame).equals(OPENING);
    }

    /** The thread was tracking which records are done. */
    static boolean acks(RecordedStackTrace trace) {
        return trace.getFrames().stream()
                .map(Stack::type)
                .anyMatch(type -> ACKS.stream().anyMatch(type::startsWith));
    }

    /** @param above the operator's own frame, the innermost first */
    private static Stack of(String operator, boolean handsOver, boolean acks, List<RecordedFrame> above) {
        boolean copies = copies(above);
        String leaf = above.isEmpty() ? "" : method(above.get(0));
        int outermost = above.size() - 1;
        while (outermost >= 0 && isLibrary(type(above.get(outermost)))) {
            outermost--;
        }
        if (outermost < 0) {
            int first = above.size() - 1;
            while (first >= 0
                    && (isLambda(type(above.get(first)))
                            || type(above.get(first)).startsWith(ENGINE)
                            || type(above.get(first)).startsWith(DOOR))) {
                first--;
            }
            return new Stack(
                    operator, handsOver, acks, copies, "", "", first < 0 ? "" : method(above.get(first)), leaf);
        }
        // Whoever the engine calls is the user; what that calls in other packages is a library.
        String home = packageOf(type(above.get(outermost)));
        int innermost = 0;
        while (isLibrary(type(above.get(innermost)))
                || !packageOf(type(above.get(innermost))).equals(home)) {
            innermost++;
        }
        int called = innermost - 1;
        while (called >= 0 && isLambda(type(above.get(called)))) {
            called--;
        }
        RecordedFrame frame = above.get(innermost);
        return new Stack(
                operator,
                handsOver,
                acks,
                copies,
                method(frame),
                line(frame),
                called < 0 ? "" : method(above.get(called)),
                leaf);
    }

    /** The engine calls {@code copy} of codecs only, and an operator's own frame is the engine's. */
    private static boolean copies(List<RecordedFrame> above) {
        for (int i = 0; i < above.size(); i++) {
            if (above.get(i).getMethod().getName().equals("copy")
                    && (i + 1 == above.size() || type(above.get(i + 1)).startsWith(ENGINE))) {
                return true;
            }
        }
        return false;
    }

    /** The thread was in a native method that only waits. */
    boolean waits() {
        return WAITING.contains(leaf);
    }

    private static boolean isLibrary(String type) {
        return isLambda(type)
                || LIBRARIES.stream().anyMatch(type::startsWith)
                || STORM.matcher(type).lookingAt();
    }

    private static boolean isLambda(String type) {
        return type.contains("$$Lambda");
    }

    /** As {@link #recorded} says it. A hidden class is {@code Simple$Map+0x0000….17} in JDK 17, {@code Simple$Map.0x0000…} in JDK 25. */
    private static String type(RecordedFrame frame) {
        String name = frame.getMethod().getType().getName();
        int hidden = Math.max(name.indexOf("+0x"), name.indexOf(".0x"));
        if (hidden < 0) {
            return name;
        }
        int number = name.indexOf('.', hidden + 1);
        return name.substring(0, hidden) + "+" + name.substring(hidden + 1, number < 0 ? name.length() : number);
    }

    private static String packageOf(String type) {
        return type.substring(0, Math.max(0, type.lastIndexOf('.')));
    }

    private static String simple(String type) {
        int hidden = type.indexOf('+');
        String plain = hidden < 0 ? type : type.substring(0, hidden);
        return plain.substring(plain.lastIndexOf('.') + 1).replace('$', '.');
    }

    /** {@code Prices.parse}, also for a lambda in it. */
    private static String method(RecordedFrame frame) {
        RecordedMethod method = frame.getMethod();
        String name = method.getName();
        if (name.startsWith("lambda$")) {
            int begin = "lambda$".length();
            int end = name.indexOf('$', begin);
            name = name.substring(begin, end < 0 ? name.length() : end);
        }
        return simple(type(frame)) + "." + name;
    }

    private static String line(RecordedFrame frame) {
        if (frame.getLineNumber() <= 0) {
            return "";
        }
        String type = simple(type(frame));
        int nested = type.indexOf('.');
        return (nested < 0 ? type : type.substring(0, nested)) + ".java:" + frame.getLineNumber();
    }
}
