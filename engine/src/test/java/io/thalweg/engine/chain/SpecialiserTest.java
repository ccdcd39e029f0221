// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SpecialiserTest {
    interface Shown {
        Object given();

        @Nullable Object constant();
    }

    static final class Copied implements Shown {
        private static final @Nullable Parts CONSTANT = Specialiser.constant(MethodHandles.lookup(), Parts.class);

        private final Parts parts;

        record Parts(Object value) implements Specialiser.Parts<Shown> {
            @Override
            public Class<Copied> type() {
                return Copied.class;
            }
        }

        Copied(Parts parts) {
            this.parts = parts;
        }

        @Override
        public Object given() {
            return parts.value();
        }

        @Override
        public @Nullable Object constant() {
            return CONSTANT == null ? null : CONSTANT.value();
        }
    }

    @Test
    void shouldGiveEachCopyItsOwnPartsAsAConstant() {
        Specialiser specialiser = new Specialiser(true);

        Shown one = specialiser.make(new Copied.Parts("one"));
        Shown two = specialiser.make(new Copied.Parts("two"));

        assertThat(one.getClass()).isNotEqualTo(two.getClass());
        assertThat(one.given()).isEqualTo("one");
        assertThat(one.constant()).isEqualTo("one");
        assertThat(two.constant()).isEqualTo("two");
    }

    @Test
    void shouldMakePlainObjectsWithoutAConstant_whereItIsSwitchedOff() {
        Shown plain = new Specialiser(false).make(new Copied.Parts("one"));

        assertThat(plain).isInstanceOf(Copied.class);
        assertThat(plain.given()).isEqualTo("one");
        assertThat(plain.constant()).isNull();
    }
}
