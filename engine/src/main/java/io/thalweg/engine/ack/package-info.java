// SPDX-License-Identifier: Apache-2.0
/** Station 6: a source record is acked when all records derived from it are done; otherwise it is retried. */
@NullMarked
package io.thalweg.engine.ack;

import org.jspecify.annotations.NullMarked;
