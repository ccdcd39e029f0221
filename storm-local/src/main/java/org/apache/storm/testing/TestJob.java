// SPDX-License-Identifier: Apache-2.0
package org.apache.storm.testing;

import org.apache.storm.ILocalCluster;

/** A test that needs a cluster; see {@link org.apache.storm.Testing#withLocalCluster(TestJob)}. */
public interface TestJob {
    /** Runs it, in the thread of the test. The cluster is closed afterwards. */
    void run(ILocalCluster cluster) throws Exception;
}
