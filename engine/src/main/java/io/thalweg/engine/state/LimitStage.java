// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.graph.Limit;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.checkpoint.TaskState;

/** Lets so many records pass, and tells when they have. Made by a specialiser. */
final class LimitStage implements Receiver, Stage {
    private static final String PASSED = "passed";

    private final String operator;
    private final String format;
    private final long most;
    private final Receiver next;
    private final Runnable onReached;
    private long passed;

    /** @param onReached may be run more than once */
    record Parts(String operator, Limit limit, Receiver next, Runnable onReached)
            implements Specialiser.Parts<Receiver> {
        @Override
        public Class<LimitStage> type() {
            return LimitStage.class;
        }
    }

    LimitStage(Parts parts) {
        operator = parts.operator();
        format = parts.limit().specification();
        most = parts.limit().records();
        next = parts.next();
        onReached = parts.onReached();
    }

    @Override
    public String operator() {
        return operator;
    }

    @Override
    public void open() {
        tellIfReached();
    }

    private void tellIfReached() {
        if (passed >= most) {
            onReached.run();
        }
    }

    @Override
    public void accept(Object value) throws Exception {
        if (passed < most) {
            passed++;
            next.accept(value);
            tellIfReached();
        }
    }

    private StateName state() {
        return new StateName(operator, PASSED);
    }

    @Override
    public void save(TaskState to) {
        to.whole(state(), format).writeVarLong(passed);
    }

    @Override
    public void saveFinished(TaskState to) {
        save(to);
    }

    @Override
    public void restore(Restored from) {
        for (ByteReader in : from.whole(state(), format)) {
            passed += in.readVarLong();
        }
        tellIfReached();
    }
}
