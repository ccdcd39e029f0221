// SPDX-License-Identifier: Apache-2.0
/** HTTP services: records to them in batches, and lookups from them. */
@NullMarked
package io.thalweg.http;

import org.jspecify.annotations.NullMarked;
