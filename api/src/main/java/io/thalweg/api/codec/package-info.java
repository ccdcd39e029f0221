// SPDX-License-Identifier: Apache-2.0
/** What a value looks like as bytes: types, codecs, and the hash that places a key. */
@NullMarked
package io.thalweg.api.codec;

import org.jspecify.annotations.NullMarked;
