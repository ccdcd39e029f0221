// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.engine.ack.JoinedTrees;
import io.thalweg.engine.ack.Pending;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.queue.Ring;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends acks where records may be derived from several: what is complete is reported to each of the trees that it belongs to. */
public final class JointAcks extends Acks {
    private final JoinedTrees joints;

    /** @param rings to each of the source tasks */
    public JointAcks(Frame frame, List<Ring> rings, List<Pending> sources, JoinedTrees joints) {
        super(frame, rings, sources);
        this.joints = joints;
    }

    @Override
    public JoinedTrees joints() {
        return joints;
    }

    @Override
    public void report(long root, long ids) {
        if (!joints.owns(root)) {
            super.report(root, ids);
            return;
        }
        JoinedTrees.@Nullable Joint complete = joints.report(root, ids);
        if (complete != null) {
            complete.release(this);
        }
    }

    @Override
    public void fail(long root, String operator, String reason) {
        if (!joints.owns(root)) {
            super.fail(root, operator, reason);
            return;
        }
        JoinedTrees.@Nullable Joint failed = joints.fail(root);
        if (failed != null) {
            failed.fail(this, operator, reason);
        }
    }
}
