// SPDX-License-Identifier: Apache-2.0
package io.thalweg.checks;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.HasDescription;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.HasSourceCodeLocation;
import com.tngtech.archunit.lang.ArchCondition;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.GroupingVisitor;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.NodeVisitor;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.WindowVisitor;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A new kind of operator, window or grouping does not compile before all that runs graphs handles it. */
final class KindsTest {

    private static final String WHY = "a forgotten kind would compile; ask for a trait, or write a visitor";

    @ParameterizedTest
    @ValueSource(classes = {NodeSpec.class, WindowSpec.class, Grouping.class})
    void nobodyShouldAskForTheClassOfAKind(Class<?> spec) {
        noClasses()
                .that()
                .resideOutsideOfPackage(spec.getPackageName())
                .should(condition(
                        "ask for the class of a " + spec.getSimpleName(), (JavaClass type) -> asks(type, spec)))
                .because(WHY)
                .check(ProjectClasses.MAIN);
    }

    @Test
    void nobodyShouldCompareTheNameOfAKind() {
        noMethods()
                .that()
                .areDeclaredInClassesThat()
                .resideOutsideOfPackage(NodeSpec.class.getPackageName())
                .should(condition("compare the name of a kind", KindsTest::comparesNames))
                .because(WHY)
                .check(ProjectClasses.MAIN);
    }

    @ParameterizedTest
    @ValueSource(classes = {NodeVisitor.class, WindowVisitor.class, GroupingVisitor.class})
    void visitorsShouldHaveNoDefaultCase(Class<?> visitor) {
        methods()
                .that()
                .areDeclaredIn(visitor)
                .should()
                .haveModifier(JavaModifier.ABSTRACT)
                .because(WHY)
                .check(ProjectClasses.MAIN);
    }

    @ParameterizedTest
    @ValueSource(classes = {NodeSpec.class, WindowSpec.class})
    void everyKindShouldHaveACaseOfItsOwn(Class<?> spec) {
        Class<?> visitor = spec == NodeSpec.class ? NodeVisitor.class : WindowVisitor.class;
        assertThat(Arrays.stream(visitor.getDeclaredMethods()).map(method -> method.getParameterTypes()[0]))
                .containsExactlyInAnyOrderElementsOf(kinds(spec).toList());
    }

    private static Stream<Class<?>> kinds(Class<?> spec) {
        return spec.isSealed()
                ? Arrays.stream(spec.getPermittedSubclasses())
                        .flatMap(KindsTest::kinds)
                        .distinct()
                : Stream.of(spec);
    }

    private static boolean asks(JavaClass type, Class<?> spec) {
        return type.getInstanceofChecks().stream()
                        .anyMatch(check -> check.getRawType().isAssignableTo(spec))
                || type.getReferencedClassObjects().stream()
                        .anyMatch(object -> object.getRawType().isAssignableTo(spec)
                                && !object.getRawType().isEquivalentTo(spec));
    }

    /** A switch over texts calls {@code hashCode} and {@code equals}. */
    private static boolean comparesNames(JavaCodeUnit unit) {
        return calls(unit, NodeSpec.class, "kind") && calls(unit, String.class, "equals");
    }

    private static boolean calls(JavaCodeUnit unit, Class<?> owner, String method) {
        return unit.getMethodCallsFromSelf().stream()
                .anyMatch(call ->
                        call.getName().equals(method) && call.getTargetOwner().isAssignableTo(owner));
    }

    private static <T extends HasDescription & HasSourceCodeLocation> ArchCondition<T> condition(
            String words, Predicate<T> holds) {
        return ArchCondition.from(describe(words, holds));
    }
}
