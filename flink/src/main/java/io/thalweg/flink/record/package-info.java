// SPDX-License-Identifier: Apache-2.0
/** Records and keys in Flink, serialized by Thalweg's codecs. */
@NullMarked
package io.thalweg.flink.record;

import org.jspecify.annotations.NullMarked;
