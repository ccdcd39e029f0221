// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * A user's operator on two keyed streams, of records of different types, with state and event-time timers that both inputs
 * share: {@code first.keyBy(f).connect(second.keyBy(g)).process(MyOperator::new)}. Records of equal keys of both inputs come to
 * the same instance, which serves all keys of one task and is called by one thread at a time. What must be kept per key belongs
 * in a {@link ValueState}, a {@link ListState} or a {@link MapState} declared in {@link #open}, not in a field.
 *
 * <p>Nothing is said about which input's record comes first: of two records of different inputs either may be processed before
 * the other, and not the same one on every run. What must wait for the other input waits in state, with a timer that says how
 * long. The watermark, by which timers fire, is the lesser one of both inputs.
 *
 * <pre>{@code
 * // each order with its payment; orders that are not paid within an hour go to a side output
 * final class Payments implements KeyedTwoInputOperator<Long, Order, Payment, Paid> {
 *     static final SideOutput<Order> UNPAID = SideOutput.of("unpaid", Order.class);
 *
 *     private KeyedContext context;
 *     private ValueState<Order> order;
 *     private ValueState<Payment> payment;
 *
 *     public void open(KeyedContext context) {
 *         this.context = context;
 *         order = context.state("order", Type.of(Order.class));
 *         payment = context.state("payment", Type.of(Payment.class));
 *     }
 *
 *     public List<SideOutput<?>> sideOutputs() {
 *         return List.of(UNPAID);
 *     }
 *
 *     public void processFirst(Long id, Order ordered, Output<Paid> output) {
 *         order.set(ordered);
 *         context.setTimer(ordered.time() + 3_600_000);
 *         match(output);
 *     }
 *
 *     public void processSecond(Long id, Payment paid, Output<Paid> output) {
 *         payment.set(paid);
 *         match(output);
 *     }
 *     …
 * }}</pre>
 *
 * @param <K> keys
 * @param <A> records of the first input
 * @param <B> records of the second input
 * @param <R> records out
 */
public non-sealed interface KeyedTwoInputOperator<K, A, B, R> extends KeyedLifecycle<K, R> {
    /** Processes a record of the first stream. State and timers are those of {@code key}. */
    void processFirst(K key, A value, Output<R> output) throws Exception;

    /** Processes a record of the second stream. State and timers are those of {@code key}. */
    void processSecond(K key, B value, Output<R> output) throws Exception;
}
