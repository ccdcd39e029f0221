// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.oracle;

import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.AsyncMap;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.BroadcastOperator;
import io.thalweg.api.operator.BroadcastState;
import io.thalweg.api.operator.JoinFunction;
import io.thalweg.api.operator.Lifecycle;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.TwoInputOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Runs a user's operator without keys over all records; of two inputs, first over those of the one. */
final class OperatorRules implements OperatorContext {
    private final Node node;
    private final int parallelism;
    private final Ports out;
    private Element inHand = Element.untimed("", -1);
    private int task;

    OperatorRules(Node node, int parallelism, Ports out) {
        this.node = node;
        this.parallelism = parallelism;
        this.out = out;
    }

    /** What the operator does with one record. */
    private interface Call {
        void process(Object value, Output<Object> output) throws Exception;
    }

    void apply(NodeSpec.Process process, List<Element> input) {
        Operator<Object, Object> operator = process.supplier().get();
        open(operator);
        hand(input, operator::process);
        end(operator);
    }

    /** @param chooses reads from a record the number of the task that it goes to; each task has an operator of its own */
    void apply(NodeSpec.Process process, List<Element> input, KeySpec chooses) {
        List<Operator<Object, Object>> operators = new ArrayList<>();
        for (task = 0; task < parallelism; task++) {
            Operator<Object, Object> operator = process.supplier().get();
            operators.add(operator);
            open(operator);
        }
        out.each(input, each -> {
            inHand = each;
            task = (int) chooses.function().apply(each.value());
            operators.get(task).process(each.value(), out.inheriting(each));
        });
        for (task = 0; task < parallelism; task++) {
            end(operators.get(task));
        }
    }

    void apply(NodeSpec.Connect connect, List<Element> first, List<Element> second) {
        TwoInputOperator<Object, Object, Object> operator = connect.supplier().get();
        open(operator);
        hand(first, operator::processFirst);
        hand(second, operator::processSecond);
        end(operator);
    }

    /** Of several tasks, the first has all records of the one input, and each all that is broadcast. */
    void apply(NodeSpec.Broadcast broadcast, List<Element> first, List<Element> second) {
        for (int t = 0; t < parallelism; t++) {
            BroadcastOperator<Object, Object, Object> operator =
                    broadcast.supplier().get();
            open(operator);
            hand(second, operator::processBroadcast);
            hand(t == 0 ? first : List.of(), operator::process);
            end(operator);
        }
    }

    /** One request after the other, each made once. */
    void apply(AsyncMap async, List<Element> input) {
        AsyncOperator<Object, Object> operator = async.supplier().get();
        JoinFunction<Object, Object, Object> function = async.function();
        out.run(operator, each -> each.open(this));
        out.each(input, each -> {
            Object result = answer(operator.apply(each.value()));
            Object emitted = function == null ? result : function.apply(each.value(), result);
            if (emitted != null) {
                out.emit(each.with(emitted));
            }
        });
        out.run(operator, AsyncOperator::close);
    }

    static @Nullable Object answer(CompletionStage<? extends @Nullable Object> request) throws Exception {
        try {
            return request.toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof BadRecordException bad ? bad : e;
        }
    }

    private void open(Lifecycle<Object> operator) {
        out.run(operator, each -> each.open(this));
    }

    private void hand(List<Element> input, Call call) {
        out.each(input, each -> {
            inHand = each;
            call.process(each.value(), out.inheriting(each));
        });
    }

    private void end(Lifecycle<Object> operator) {
        inHand = Element.untimed(node, -1);
        out.run(operator, each -> each.finish(out.inheriting(inHand)));
        out.run(operator, Lifecycle::close);
    }

    @Override
    public String operator() {
        return node.name();
    }

    @Override
    public int task() {
        return task;
    }

    @Override
    public int parallelism() {
        return parallelism;
    }

    @Override
    public long eventTime() {
        return node.timed() ? inHand.eventTime() : NO_TIME;
    }

    @Override
    public long stamp() {
        return node.timed() ? inHand.stamp() : NO_TIME;
    }

    @Override
    public void countLate() {
        out.late++;
    }

    @Override
    public void countBad(BadRecordException bad) {
        out.bad++;
    }

    @Override
    public <F, V> BroadcastState<F, V> broadcastState(String name, Type<F> field, Type<V> value) {
        return new OneMap<>();
    }

    @Override
    public long watermark() {
        return node.timed() ? inHand.stamp() : NO_TIME;
    }
}
