// SPDX-License-Identifier: Apache-2.0
/** Files in and out: JSON lines, CSV, plain lines, each from and to gzip too; and the file of bad records. */
@NullMarked
package io.thalweg.files;

import org.jspecify.annotations.NullMarked;
