// SPDX-License-Identifier: Apache-2.0
/** What a LocalCluster does that stands in for Storm's: topologies run in this JVM, at once. */
@NullMarked
package io.thalweg.stormlocal;

import org.jspecify.annotations.NullMarked;
