// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

/** Tasks that agree with no others, in a job that is not cancelled. */
public final class Alone implements TaskAgreement {
    @Override
    public void opened() {}

    @Override
    public boolean allOpened() {
        return true;
    }

    @Override
    public void outputsRestored() {}

    @Override
    public boolean allOutputsRestored() {
        return true;
    }

    @Override
    public boolean cancelled() {
        return false;
    }

    @Override
    public boolean draining(int source) {
        return false;
    }

    @Override
    public void reached(int limit) {}

    @Override
    public void ending() {}

    @Override
    public void drained() {}

    @Override
    public boolean mayCommit(ChainTask task) {
        return true;
    }

    @Override
    public void committed(ChainTask task) {}
}
