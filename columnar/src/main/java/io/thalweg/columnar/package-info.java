// SPDX-License-Identifier: Apache-2.0
/** What Parquet and Avro share: what a record declares, what a column holds, how one becomes the other, and compressed bytes. */
@NullMarked
package io.thalweg.columnar;

import org.jspecify.annotations.NullMarked;
