// SPDX-License-Identifier: Apache-2.0
/** Parquet files in and out. The libraries decode and assemble; the file around the pages is read and written here. */
@NullMarked
package io.thalweg.parquet;

import org.jspecify.annotations.NullMarked;
