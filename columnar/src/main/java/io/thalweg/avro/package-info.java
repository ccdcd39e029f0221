// SPDX-License-Identifier: Apache-2.0
/** Avro files in and out. The library knows schemas and values; the file around the blocks is read and written here. */
@NullMarked
package io.thalweg.avro;

import org.jspecify.annotations.NullMarked;
