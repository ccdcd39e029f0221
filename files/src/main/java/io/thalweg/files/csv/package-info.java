// SPDX-License-Identifier: Apache-2.0
/** CSV as RFC 4180 has it: rows to records and back. */
@NullMarked
package io.thalweg.files.csv;

import org.jspecify.annotations.NullMarked;
