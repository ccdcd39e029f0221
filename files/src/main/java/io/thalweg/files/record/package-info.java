// SPDX-License-Identifier: Apache-2.0
/** What all formats share: how records are named and made, how bytes are looked at, how a malformed text is told. */
@NullMarked
package io.thalweg.files.record;

import org.jspecify.annotations.NullMarked;
