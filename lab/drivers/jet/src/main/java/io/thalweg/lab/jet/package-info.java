// SPDX-License-Identifier: Apache-2.0
/**
 * The lab's cells on Hazelcast Jet, as its own users would write them: by the Pipeline API, or vertex by vertex by the Core API.
 * Sources and sinks are cooperative processors.
 */
@NullMarked
package io.thalweg.lab.jet;

import org.jspecify.annotations.NullMarked;
