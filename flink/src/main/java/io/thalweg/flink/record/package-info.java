// SPDX-License-Identifier: Apache-2.0
/** Records and keys as Flink carries them, through Thalweg's codecs. */
@NullMarked
package io.thalweg.flink.record;

import org.jspecify.annotations.NullMarked;
