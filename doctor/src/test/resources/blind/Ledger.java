// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Books payments in a ledger that all tasks share, under one lock, and writes each to the bank while it holds it. */
public final class Ledger implements TopologyDefinition {
    record Payment(long id, int account, long cents) {}

    private static final Map<Integer, Long> BALANCES = new HashMap<>();

    private static final ReentrantLock LOCK = new ReentrantLock();

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, i -> new Payment(i, (int) (i * 31 % 10_000), i % 977))
                        .splitInto(4))
                .name("payments")
                .process(Book::new)
                .name("book")
                .parallelism(4)
                .to(Sinks.discard());
    }

    static final class Book implements Operator<Payment, Long> {
        @Override
        public void process(Payment payment, Output<Long> output) {
            LOCK.lock();
            try {
                long balance = BALANCES.merge(payment.account(), payment.cents(), Long::sum);
                output.emit(Bank.write(payment.account(), balance));
            } finally {
                LOCK.unlock();
            }
        }
    }

    /** Stands for the bank's client, which has a semaphore of its own and answers after a millisecond. */
    static final class Bank {
        private static final java.util.concurrent.Semaphore ANSWER = new java.util.concurrent.Semaphore(0);

        static long write(int account, long balance) {
            try {
                ANSWER.tryAcquire(account % 2 + 1, java.util.concurrent.TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return balance;
        }
    }
}
