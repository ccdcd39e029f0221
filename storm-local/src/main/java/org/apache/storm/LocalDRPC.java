// SPDX-License-Identifier: Apache-2.0
package org.apache.storm;

import io.thalweg.stormdoor.DrpcCalls;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.generated.DRPCRequest;

/** What a main finds that wants a LocalDRPC: calls of functions that the topologies of this process answer. Its methods are Storm's. */
public class LocalDRPC implements ILocalDRPC {
    private final DrpcCalls calls = new DrpcCalls();

    /** Without calls. */
    public LocalDRPC() {}

    @Override
    public String execute(String function, String arguments) throws DRPCExecutionException {
        return calls.execute(function, arguments);
    }

    @Override
    public DRPCRequest fetchRequest(String function) {
        return calls.fetchRequest(function);
    }

    @Override
    public void result(String request, String result) {
        calls.result(request, result);
    }

    @Override
    public void failRequest(String request) {
        calls.failRequest(request);
    }

    @Override
    public void failRequestV2(String request, DRPCExecutionException why) {
        calls.failRequestV2(request, why);
    }

    @Override
    public String getServiceId() {
        return calls.getServiceId();
    }

    @Override
    public void close() {
        calls.close();
    }

    @Override
    @SuppressWarnings("deprecation") // of Storm's
    public void shutdown() {
        close();
    }
}
