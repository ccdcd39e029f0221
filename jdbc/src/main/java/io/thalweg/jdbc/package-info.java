// SPDX-License-Identifier: Apache-2.0
/** Tables of databases: records into them, and lookups from them. */
@NullMarked
package io.thalweg.jdbc;

import org.jspecify.annotations.NullMarked;
