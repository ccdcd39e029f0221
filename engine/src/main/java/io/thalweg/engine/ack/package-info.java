// SPDX-License-Identifier: Apache-2.0
/** Station 6: a source record is done when all that came of it is, or is read again. */
@NullMarked
package io.thalweg.engine.ack;

import org.jspecify.annotations.NullMarked;
