// SPDX-License-Identifier: Apache-2.0
/** What tasks tell the client: what was bad or late, what was printed, what failed. */
@NullMarked
package io.thalweg.flink.report;

import org.jspecify.annotations.NullMarked;
