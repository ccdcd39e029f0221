// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Leads an operator to the topology that it belongs to. Of another process it is useless, and says so. */
final class HostHandle implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String id;
    private transient @Nullable Host host;

    HostHandle(Host host) {
        id = host.id;
        this.host = host;
    }

    Host host() {
        Host known = host;
        if (known == null) {
            known = Host.of(id);
            host = known;
        }
        return known;
    }
}
